import { readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';

export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  data?: Record<string, string>;
}

interface Kustomization {
  readonly kind: string;
  readonly resources?: readonly string[];
  readonly components?: readonly string[];
  readonly configMapGenerator?: readonly { name: string; behavior?: 'merge'; literals?: readonly string[]; files?: readonly string[] }[];
  readonly images?: readonly { name: string; newName: string; newTag: string; digest: string }[];
  readonly patches?: readonly { target: { kind: string; name: string }; patch: string }[];
}

/** The keys that are applied, and those that change only the namespace or labels that nothing selects. */
const applied = new Set(['resources', 'components', 'configMapGenerator', 'images', 'patches']);
const passedOver = new Set(['apiVersion', 'kind', 'namespace', 'labels']);

/** Renders as `kubectl kustomize` does, without hashes in names. Throws for an unknown key, so that no test passes on an omission. */
export function render(folder: string, manifests: Manifest[] = []): Manifest[] {
  const kustomization = parse(readFileSync(join(folder, 'kustomization.yaml'), 'utf8')) as Kustomization;
  const unknown = Object.keys(kustomization).filter((key) => !applied.has(key) && !passedOver.has(key));
  if (unknown.length > 0) throw new Error(`${folder}: ${unknown.join(', ')} is not understood here`);
  for (const resource of kustomization.resources ?? []) manifests.push(...read(join(folder, resource)));
  for (const component of kustomization.components ?? []) render(join(folder, component), manifests);
  for (const generator of kustomization.configMapGenerator ?? []) generate(folder, generator, manifests);
  for (const image of kustomization.images ?? []) pin(image, manifests);
  for (const patched of kustomization.patches ?? []) patchOne(patched, manifests, kustomization.kind === 'Component');
  return manifests;
}

export function find(manifests: readonly Manifest[], kind: string, name: string): Manifest {
  const found = manifests.find((manifest) => manifest.kind === kind && manifest.metadata.name === name);
  if (!found) throw new Error(`there is no ${kind} ${name}`);
  return found;
}

const read = (path: string): Manifest[] =>
  statSync(path).isDirectory()
    ? render(path)
    : parseAllDocuments(readFileSync(path, 'utf8')).map((document) => document.toJS() as Manifest);

type Generator = NonNullable<Kustomization['configMapGenerator']>[number];

function generate(folder: string, { name, behavior, literals = [], files = [] }: Generator, manifests: Manifest[]): void {
  const data = {
    ...Object.fromEntries(literals.map((literal) => [literal.slice(0, literal.indexOf('=')), literal.slice(literal.indexOf('=') + 1)])),
    ...Object.fromEntries(files.map((file) => [basename(file), readFileSync(join(folder, file), 'utf8')])),
  };
  if (behavior !== 'merge') {
    manifests.push({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data });
    return;
  }
  const present = find(manifests, 'ConfigMap', name);
  present.data = { ...present.data, ...data };
}

function pin({ name, newName, newTag, digest }: NonNullable<Kustomization['images']>[number], part: unknown): void {
  if (typeof part !== 'object' || part === null) return;
  if ('image' in part && part.image === name) part.image = `${newName}:${newTag}@${digest}`;
  for (const child of Object.values(part)) pin({ name, newName, newTag, digest }, child);
}

function patchOne({ target, patch }: NonNullable<Kustomization['patches']>[number], manifests: Manifest[], mayLack: boolean): void {
  const at = manifests.findIndex(({ kind, metadata }) => kind === target.kind && metadata.name === target.name);
  if (at === -1 && mayLack) return;
  const steps = parse(patch) as Step[] | { readonly $patch: string };
  if (Array.isArray(steps)) for (const step of steps) apply(step, find(manifests, target.kind, target.name));
  else if (steps.$patch === 'delete') manifests.splice(at, 1);
  else throw new Error(`${patch} is not understood here`);
}

interface Step {
  readonly op: string;
  readonly path: string;
  readonly value: unknown;
}

function apply({ op, path, value }: Step, manifest: Manifest): void {
  if (!['add', 'replace', 'remove'].includes(op)) throw new Error(`${op} is not understood here`);
  const keys = path.split('/').slice(1);
  const last = keys.pop() ?? '';
  const parent = keys.reduce<unknown>((part, key) => (part as Record<string, unknown>)[key], manifest);
  if (Array.isArray(parent) && op === 'add' && last === '-') parent.push(value);
  else if (typeof parent !== 'object' || parent === null || Array.isArray(parent)) throw new Error(`${path} is not a member of an object`);
  else if (op === 'remove') delete (parent as Record<string, unknown>)[last];
  else (parent as Record<string, unknown>)[last] = value;
}
