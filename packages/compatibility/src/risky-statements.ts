interface Rule {
  readonly statement: RegExp;
  readonly why: string;
}

const locks = 'locks a whole table while the released version needs it';
const takes = 'takes away what the released version may use';
const rules: readonly Rule[] = [
  { statement: /^(truncate|lock|cluster|vacuum|refresh)\b/, why: locks },
  { statement: /^alter table\b.*\bset (un)?logged\b/, why: locks },
  { statement: /^alter table\b.*\badd (constraint \S+ )?exclude\b/, why: locks },
  { statement: /^alter table\b.*\badd generated\b/, why: locks },
  { statement: /^alter table\b.*\b(drop default|drop constraint|set schema|(en|dis)able (row|trigger|rule))\b/, why: takes },
  { statement: /^drop (function|procedure|trigger|view|materialized|type|domain|sequence|schema|policy)\b/, why: takes },
  { statement: /^alter (type|function|sequence|view|schema)\b.*\b(rename|set schema|drop)\b/, why: takes },
  { statement: /^revoke\b/, why: takes },
  {
    statement: /^(update|delete|merge|with)\b/,
    why: 'changes the rows of a table in one transaction, and requests wait for them: a job does it in batches',
  },
  { statement: /^(do|call|select)\b/, why: 'hides its statements from this check' },
];

const allowed = /^\s*-- allowed: \S/m;

/**
 * Returns statements that a linter of locks accepts although the released version may wait or fail, with the reason. `-- allowed: <why>`
 * above a statement exempts it.
 */
export const riskyStatements = (sql: string): readonly string[] =>
  withoutBodies(sql)
    .split(';')
    .flatMap((text) => {
      const statement = text.replace(/--.*$/gm, '').replace(/\s+/g, ' ').trim().toLowerCase();
      const rule = allowed.test(text) ? undefined : rules.find((one) => one.statement.test(statement));
      return rule ? [`“${statement}” ${rule.why}`] : [];
    });

/** The bodies of functions run later, and a semicolon in a text ends no statement. */
const withoutBodies = (sql: string): string => sql.replace(/(\$\w*\$)[\s\S]*?\1/g, '$body').replace(/'(?:[^']|'')*'/g, "''");
