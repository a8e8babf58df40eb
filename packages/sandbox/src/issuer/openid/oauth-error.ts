export class OAuthError extends Error {
  readonly code: string;
  constructor(code: string, description: string) {
    super(description);
    this.name = 'OAuthError';
    this.code = code;
  }
}

export function required(parameters: URLSearchParams, name: string): string {
  const value = optional(parameters, name);
  if (!value) throw new OAuthError('invalid_request', `${name} is missing`);
  return value;
}

export function optional(parameters: URLSearchParams, name: string): string | undefined {
  const values = parameters.getAll(name);
  if (values.length > 1) throw new OAuthError('invalid_request', `${name} is given twice`);
  return values[0] || undefined;
}
