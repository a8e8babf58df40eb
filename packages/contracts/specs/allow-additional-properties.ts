/**
 * Removes `additionalProperties: false` from a JSON Schema. Replies and events may gain fields within a version, so a
 * reader must accept fields it does not know.
 */
export function allowAdditionalProperties({ jsonSchema }: { readonly jsonSchema: { additionalProperties?: unknown } }): void {
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
}
