import { type ErasureCertificate, erasingServices, type KeptData, keptForAWhile, type ServiceName } from '@corner/contracts';

type Report = ErasureCertificate['services'][number];

interface Erasure extends Pick<ErasureCertificate, 'requested_at' | 'requested_by' | 'begun_at' | 'finished_at'> {
  readonly reports: Readonly<Record<string, Report>>;
}

const reporting: readonly ServiceName[] = ['directory', ...erasingServices];

export const certificateOf = ({ reports, begun_at, ...erasure }: Erasure): ErasureCertificate => ({
  state: begun_at === null ? 'requested' : erasure.finished_at === null ? 'running' : 'done',
  requested_at: erasure.requested_at,
  requested_by: erasure.requested_by,
  begun_at,
  finished_at: erasure.finished_at,
  services: begun_at === null ? [] : reporting.map((service) => reports[service] ?? { service, state: 'waiting', steps: [], kept: [] }),
});

export const isDone = (reports: Erasure['reports']): boolean => reporting.every((service) => reports[service]?.state === 'done');

export const keptHere: readonly KeptData[] = [
  {
    what: 'The number of the customer, and this record.',
    why: 'What comes late about the customer is recognised by it, and it proves that the erasure was done: UK GDPR, article 5(2).',
    how_long: 'For good. Nothing says whose number it was.',
  },
  {
    what: 'Who read data under this number, and when.',
    why: 'It proves who had access to personal data: UK GDPR, articles 5(1)(f) and 5(2). A row that was removed would show as tampering.',
    how_long: 'As long as the record is kept. Nothing says whose number it was.',
  },
  {
    what: 'Lists of customers that an operator imported.',
    why: 'They are kept until the import is run.',
    how_long: 'A day.',
  },
  ...keptForAWhile,
];
