export interface LoggedStatement {
  readonly service: string;
  readonly name: string;
  /** A transaction that wrote nothing needs no flush. Null while it is open. */
  readonly ended: 'written' | 'read only' | null;
  readonly read: number;
  readonly written: number;
}

interface Node {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly 'Conflict Resolution'?: string;
  readonly 'Conflicting Tuples'?: number;
  readonly Plans?: readonly Node[];
}

/** The log has the prefix "%u|%p|", and auto_explain writes plans into it as JSON. */
export function parseStatements(log: string): LoggedStatement[] {
  const statements: LoggedStatement[] = [];
  const sessions = new Map<string, Session>();
  for (const [, service = '', pid = '', entry = ''] of log.matchAll(/^corner_(\w+)\|(\d+)\|LOG: {2}(.*(?:\n(?:\t.*)?$)*)/gm)) {
    const session = sessions.get(pid) ?? { open: false, wrote: false, last: null };
    sessions.set(pid, session);
    const sent = /^(?:execute ([^:]+)|statement): ([\s\S]*)/.exec(entry);
    const plan = /^duration: [\s\S]*? plan:\n([\s\S]*)/.exec(entry);
    if (sent) {
      session.last = begin(service, sent[1], sent[2] ?? '', session);
      statements.push(session.last);
    } else if (plan && session.last) {
      addPlan(session.last, JSON.parse(plan[1] ?? ''));
      noteWrites(session, session.last);
    }
  }
  return statements;
}

interface Session {
  open: boolean;
  wrote: boolean;
  last: Writable | null;
}

type Writable = { -readonly [key in keyof LoggedStatement]: LoggedStatement[key] };

function begin(service: string, prepared: string | undefined, text: string, session: Session): Writable {
  const begins = /^(begin|start transaction)/i.test(text);
  const ends = /^(commit|rollback|end)\b/i.test(text);
  const ended = begins || (session.open && !ends) ? null : ends && session.wrote ? 'written' : 'read only';
  if (begins || ends) Object.assign(session, { open: begins, wrote: false });
  const name = prepared && prepared !== '<unnamed>' ? prepared : text.trim().replaceAll(/\s+/g, ' ').slice(0, 70);
  return { service, name, ended, read: 0, written: 0 };
}

function noteWrites(session: Session, statement: Writable): void {
  if (statement.written === 0) return;
  if (session.open) session.wrote = true;
  else statement.ended = 'written';
}

function addPlan(statement: Writable, { 'Query Text': text, Plan: plan }: { readonly 'Query Text': string; readonly Plan: Node }): void {
  if (/^SELECT 1 FROM ONLY/.test(text)) return;
  for (const node of flat(plan)) {
    const rows = Math.round(node['Actual Rows'] * node['Actual Loops']);
    const dropped = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
    if (node['Relation Name'] && node['Node Type'].endsWith('Scan')) statement.read += rows + Math.round(dropped * node['Actual Loops']);
    if (node['Node Type'] === 'ModifyTable') statement.written += writtenBy(node);
  }
}

/** A statement that returns nothing reports no rows, so they are counted at the writing nodes. */
function writtenBy(node: Node): number {
  const rows = (node.Plans ?? []).slice(0, 1).map((child) => child['Actual Rows'] * child['Actual Loops']);
  const left = node['Conflict Resolution'] === 'NOTHING' ? (node['Conflicting Tuples'] ?? 0) : 0;
  return Math.round(rows[0] ?? 0) - left;
}

const flat = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(flat)];
