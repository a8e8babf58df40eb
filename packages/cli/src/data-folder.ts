import { resolve } from 'node:path';
import { checkout } from '@corner/sandbox';
import type { Command } from 'commander';

/** Adds the option that says where the system's data lives. */
export const withDataFolder = (command: Command): Command => command.option('--data <folder>', 'where data lives', `${checkout}/.corner`);

/** The folder an option named, as an absolute path. */
export const dataFolder = ({ data }: { readonly data: string }): string => resolve(data);
