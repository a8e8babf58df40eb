import { z } from 'zod';

export interface JsonSchema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly not?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema;
  readonly prefixItems?: readonly JsonSchema[];
  readonly pattern?: string;
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly default?: unknown;
}

const remarks = new Set(['$schema', 'description', 'title', 'examples', 'example', 'deprecated', 'id', 'param', 'x-extension']);

/**
 * Returns a contract's schema as JSON Schema without remarks: `sent`, the values a sender puts on the wire; `accepted`, the values a parse
 * takes.
 */
export function jsonSchemaOf(schema: z.ZodType, side: 'sent' | 'accepted'): JsonSchema {
  const io = side === 'sent' ? 'output' : 'input';
  // A sender sends only named fields, but its reader must skip others: they may be added.
  const override = ({ jsonSchema }: { jsonSchema: { additionalProperties?: unknown; default?: unknown } }) => {
    if (side === 'sent' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    // The sender has already applied the default.
    if (side === 'sent') delete jsonSchema.default;
  };
  return withoutRemarks(z.toJSONSchema(schema, { io, unrepresentable: 'any', reused: 'inline', override })) as JsonSchema;
}

function withoutRemarks(value: unknown, named = false): unknown {
  if (Array.isArray(value)) return value.map((one) => withoutRemarks(one));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => named || !remarks.has(key))
      .map(([key, one]) => [key, withoutRemarks(one, !named && (key === 'properties' || key === '$defs'))]),
  );
}
