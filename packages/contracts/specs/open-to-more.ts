/**
 * Takes `additionalProperties: false` out of a schema. Replies and events gain fields within a version, so no
 * reader may take their absence for a promise.
 */
export function openToMore({ jsonSchema }: { readonly jsonSchema: { additionalProperties?: unknown } }): void {
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
}
