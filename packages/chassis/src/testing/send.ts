export interface TestRequest {
  readonly method?: string;
  readonly token?: string;
  /** `body` is sent as JSON, `raw` unchanged in its place. */
  readonly body?: unknown;
  readonly raw?: string;
  readonly headers?: Record<string, string>;
}

export async function send(url: string, { method = 'GET', token, body, raw, headers = {} }: TestRequest = {}) {
  const content = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  const response = await fetch(url, {
    method,
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(content === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(content === undefined ? {} : { body: content }),
  });
  const text = await response.text();
  return {
    status: response.status,
    text,
    json: JSON.parse(text || 'null') as Record<string, never> & { error: { code: string; message: string; requestId: string } },
    headers: response.headers,
  };
}
