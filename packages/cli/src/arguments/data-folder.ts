import { resolve } from 'node:path';
import { checkout } from '@corner/sandbox/system';
import type { Command } from 'commander';

/** Adds the option `--data` to a command. */
export const withDataFolder = (command: Command): Command => command.option('--data <folder>', 'the data folder', `${checkout}/.corner`);

/** The data folder as an absolute path. */
export const dataFolder = ({ data }: { readonly data: string }): string => resolve(data);
