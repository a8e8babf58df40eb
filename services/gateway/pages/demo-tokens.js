// Served in development only. A tried request is sent with the token of a demo caller who may call the operation, unless a token was
// entered under Authorize.
const description = fetch('/api/v1/openapi.json').then((response) => response.json());

const claimsOf = (token) => JSON.parse(atob(token.split('.')[1].replaceAll('-', '+').replaceAll('_', '/')));

/** Returns the caller types that may make this request. */
async function callersOf({ method, url }) {
  const { paths } = await description;
  const { pathname } = new URL(url, location.href);
  const fits = (path) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(pathname);
  const operations = Object.keys(paths).flatMap((path) => (fits(path) && paths[path][method.toLowerCase()]) || []);
  return operations[0]?.['x-callers'] ?? [];
}

globalThis.beforeTrying = async (request) => {
  if (request.loadSpec || request.headers.Authorization) return request;
  const callers = await callersOf(request);
  if (callers.includes('anyone')) return request;
  const tokens = Object.values(await (await fetch('/docs/tokens.json')).json());
  const token = tokens.find((one) => callers.includes(claimsOf(one).typ));
  if (token) request.headers.Authorization = `Bearer ${token}`;
  return request;
};
