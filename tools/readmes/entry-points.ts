import { access, type EventContract, events, operations, type ServiceName } from '@corner/contracts';
import { formatMarkdown } from '../markdown/format-markdown.ts';
import { checkout } from '../walls/read-files.ts';

interface ServiceModule {
  readonly eventHandlers: Readonly<Record<string, { readonly event: EventContract }>>;
  readonly rpcHandlers: Readonly<Record<string, { readonly rpc: { readonly name: string } }>>;
  readonly jobs: Readonly<Record<string, { readonly everySeconds: number }>>;
}

const [start, end] = ['<!-- entry points, written by `npm run specs` -->', '<!-- end -->'];

export const readmeOf = (service: ServiceName): string => `${checkout}/services/${service}/README.md`;

export const entryPointsOf = async (service: ServiceName): Promise<ServiceModule> =>
  (await import(`${checkout}/services/${service}/src/service.ts`)) as ServiceModule;

export async function withEntryPoints(readme: string, service: ServiceName): Promise<string> {
  const { eventHandlers, rpcHandlers, jobs } = await entryPointsOf(service);
  const lists = {
    operations: operations.filter((operation) => operation.service === service).map(({ name }) => code(name)),
    consumes: Object.values(eventHandlers).map(({ event }) => code(event.type)),
    publishes: events.filter(({ producers }) => producers.includes(service)).map(({ type }) => code(type)),
    serves: Object.values(rpcHandlers).map(({ rpc }) => code(rpc.name)),
    calls: access[service].calls.map(({ name }) => code(name)),
    jobs: Object.entries(jobs).map(([name, { everySeconds }]) => `${code(name)} every ${inWords(everySeconds)}`),
  };
  const lines = Object.entries(lists).flatMap(([title, names]) =>
    names.length > 0 ? [`- **${title}** ${[...new Set(names)].join(', ')}`] : [],
  );
  const [before = '', after] = readme.split(start);
  if (after === undefined || !after.includes(end)) throw new Error(`the README of ${service} lacks the lines ${start} and ${end}`);
  return `${before}${start}\n\n${formatMarkdown(lines.join('\n'))}\n${after.slice(after.indexOf(end))}`;
}

const code = (name: string): string => `\`${name}\``;

const inWords = (seconds: number): string =>
  seconds % 3_600 === 0 ? `${seconds / 3_600} h` : seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`;
