import { type AnyOperation, needsVersion } from '../src/index.ts';

/** The gateway's address in the samples. A page replaces it by the address it was loaded from. */
const gateway = 'http://localhost:4000';
const eventStream = 'text/event-stream';

/** A program for one language, shown on the pages of the reference. */
export interface CodeSample {
  readonly lang: 'Shell' | 'TypeScript' | 'Python';
  readonly label: string;
  readonly source: string;
}

/**
 * Programs that call an operation with its example. Each run uses new keys. A read that can be followed has them once more, as programs
 * that print each state as it comes.
 */
export const codeSamples = (operation: AnyOperation): CodeSample[] => [
  ...samplesOf(operation, false),
  ...(operation.live ? samplesOf(operation, true) : []),
];

function samplesOf(operation: AnyOperation, follows: boolean): CodeSample[] {
  const labelled = (language: string) => (follows ? `${language}, as a stream` : language);
  return [
    { lang: 'Shell', label: labelled('curl'), source: curl(operation, follows) },
    { lang: 'TypeScript', label: labelled('TypeScript'), source: typescript(operation, follows) },
    { lang: 'Python', label: labelled('Python'), source: python(operation, follows) },
  ];
}

const isPublic = ({ caller }: AnyOperation): boolean => caller.optional === true;
const isChange = ({ method }: AnyOperation): boolean => method !== 'GET';
const hasKeyInBody = ({ example }: AnyOperation): boolean => example.body !== undefined && 'idempotency_key' in (example.body as object);

/** The address of the example, with its parameters in place. */
function addressOf({ path, example }: AnyOperation): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(example.params?.[name] ?? ''));
  const query = new URLSearchParams(Object.entries(example.query ?? {}).map(([name, value]) => [name, String(value)])).toString();
  return `${gateway}${filled}${query ? `?${query}` : ''}`;
}

function curl(operation: AnyOperation, follows: boolean): string {
  const { method, example } = operation;
  const keyed = isChange(operation) || hasKeyInBody(operation);
  const words = [
    // Without -N curl keeps what it receives until it has a block of it.
    `curl ${follows ? '-N ' : ''}${method === 'GET' || method === 'POST' ? '' : `-X ${method} `}"${addressOf(operation)}"`,
    ...(follows ? [`-H 'Accept: ${eventStream}'`] : []),
    ...(isPublic(operation) ? [] : ['-H "Authorization: Bearer $TOKEN"']),
    ...(isChange(operation) ? ['-H "Idempotency-Key: $KEY"'] : []),
    ...(needsVersion(operation) ? ["-H 'If-Match: *'"] : []),
    ...(example.body ? ["-H 'Content-Type: application/json'", '--data @- <<JSON'] : isChange(operation) ? ['-X POST'] : []),
  ];
  const body = example.body ? `\n${JSON.stringify(withKey(example.body, '$KEY'), null, 2)}\nJSON` : '';
  return `${keyed ? "KEY=$(node -p 'crypto.randomUUID()')\n" : ''}${words.join(' \\\n  ')}${body}`;
}

const withKey = (body: unknown, key: string): object => ({
  ...(body as object),
  ...('idempotency_key' in (body as object) ? { idempotency_key: key } : {}),
});

function typescript(operation: AnyOperation, follows: boolean): string {
  const { method, path, example } = operation;
  const parameters = {
    ...(example.params ? { path: example.params } : {}),
    ...(example.query ? { query: example.query } : {}),
    ...(needsVersion(operation) ? { header: { 'If-Match': '*' } } : {}),
  };
  const options = {
    ...(Object.keys(parameters).length > 0 ? { params: parameters } : {}),
    ...(example.body ? { body: withKey(example.body, '$KEY') } : {}),
  };
  const second = Object.keys(options).length > 0 ? `, ${typescriptLiteral(options)}` : '';
  const call = follows
    ? `for await (const data of corner.follow('${path}'${second})) console.log(data);`
    : `const { data } = await corner.${method}('${path}'${second});\nconsole.log(data);`;
  return `import { createClient } from '@corner/client';

const corner = createClient({ baseUrl: '${gateway}'${isPublic(operation) ? '' : ", token: process.env.TOKEN ?? ''"} });
${call}`;
}

const typescriptLiteral = (value: unknown): string =>
  JSON.stringify(value, null, 2)
    .replaceAll('"$KEY"', 'crypto.randomUUID()')
    .replace(/^( *)"(\w+)":/gm, '$1$2:')
    .replace(/"((?:[^"\\])*)"/g, (whole, text: string) => (text.includes("'") ? whole : `'${text}'`));

function python(operation: AnyOperation, follows: boolean): string {
  const { method, example } = operation;
  const headers = [
    ...(follows ? [`"Accept": "${eventStream}",`] : []),
    ...(isPublic(operation) ? [] : [`"Authorization": "Bearer " + os.environ["TOKEN"],`]),
    ...(isChange(operation) ? ['"Idempotency-Key": str(uuid.uuid4()),'] : []),
    ...(needsVersion(operation) ? ['"If-Match": "*",'] : []),
    ...(example.body ? ['"Content-Type": "application/json",'] : []),
  ];
  const modules = [
    'json',
    ...(isPublic(operation) ? [] : ['os']),
    'urllib.request',
    ...(isChange(operation) || hasKeyInBody(operation) ? ['uuid'] : []),
  ];
  const parts = [
    `"${addressOf(operation)}",`,
    `method="${method}",`,
    ...(headers.length > 0 ? [`headers={\n${headers.map((line) => `        ${line}`).join('\n')}\n    },`] : []),
    ...(example.body ? [`data=json.dumps(${pythonLiteral(withKey(example.body, '$KEY'))}).encode(),`] : []),
  ];
  return `${modules.map((name) => `import ${name}`).join('\n')}

request = urllib.request.Request(
${parts.map((line) => `    ${line}`).join('\n')}
)
with urllib.request.urlopen(request) as response:
${follows ? pythonLoop : '    print(json.load(response))'}`;
}

const pythonLoop = `    for line in response:
        if line.startswith(b"data:"):
            print(json.loads(line[5:]), flush=True)`;

const pythonLiteral = (value: unknown): string =>
  JSON.stringify(value, null, 4)
    .replaceAll('"$KEY"', 'str(uuid.uuid4())')
    .replace(/: (true|false|null)(,?)$/gm, (_, word: keyof typeof pythonWords, comma: string) => `: ${pythonWords[word]}${comma}`)
    .replaceAll('\n', '\n    ');

const pythonWords = { true: 'True', false: 'False', null: 'None' };
