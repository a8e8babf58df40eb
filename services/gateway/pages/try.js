// The form that tries an operation. Ids of earlier responses are kept for the tab, so that the next operation is about the same order.
const form = document.getElementById('try');
const part = (name) => document.getElementById(`try-${name}`);
const remembered = JSON.parse(sessionStorage.getItem('ids') ?? '{}');
const own = 'own';
let lastKey;
let running;

/** Returns the claims of a token. */
const claimsOf = (token) => JSON.parse(atob(token.split('.')[1].replaceAll('-', '+').replaceAll('_', '/')));

/** Fills the choice of callers: the people of the demo when they are served, no token, and a token of the reader's own. */
async function offerCallers() {
  const callers = form.dataset.callers.split(' ');
  const tokens = form.dataset.tokens ? await (await fetch(form.dataset.tokens)).json() : {};
  const people = Object.entries(tokens).map(([name, token]) => ({ name, token, type: claimsOf(token).typ }));
  const options = people.map(({ name, token, type }) => new Option(`${name[0].toUpperCase()}${name.slice(1)} (${type})`, token));
  part('person').append(...options, new Option('without a token', ''), new Option('the holder of another token', own));
  const allowed = people.find(({ type }) => callers.includes(type));
  part('person').value = callers.includes('anyone') ? '' : (allowed?.token ?? own);
  showOwnToken();
}

const showOwnToken = () => {
  part('own').hidden = part('person').value !== own;
};

/** Puts the ids of earlier responses, and a new key, into the fields that the reader has not changed. */
function fillIn() {
  for (const input of form.querySelectorAll('[data-in]')) {
    const id = input.name !== 'code' && remembered[input.name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)];
    if (id && input.value === input.defaultValue) input.value = id;
  }
  const body = part('body');
  if (body) body.value = JSON.stringify(withIds(JSON.parse(body.value)), null, 2);
}

const withIds = (body) => Object.fromEntries(Object.entries(body).map(([name, value]) => [name, remembered[name] ?? value]));

/** The names that the ids in a list have elsewhere. */
const idsIn = { active_vouchers: 'voucher_id', stamps: 'stamp_id', slots: 'slot_id' };
const isOutcome = (name) => /_id$/.test(name) && !/^(store|customer|menu_item|slot|unit|service)_id$/.test(name);

/** Keeps the ids in a response, except those that are not the outcome of a request. Of a list the first one is kept. */
function remember(value, within) {
  for (const [name, inner] of Object.entries(value ?? {}).reverse()) {
    if (typeof inner === 'object') remember(inner, Array.isArray(value) ? within : name);
    else if (typeof inner !== 'string') continue;
    else if (name === 'id' && idsIn[within]) remembered[idsIn[within]] = inner;
    else if (name === 'full_message') remembered.code = inner;
    else if (name === 'client_secret' || isOutcome(name)) remembered[name] = inner;
  }
  sessionStorage.setItem('ids', JSON.stringify(remembered));
}

/** Returns the request that the form describes. Unless the reader repeats the last key, it has a new one. */
function readRequest() {
  const { method, path } = form.dataset;
  const query = new URLSearchParams();
  let filled = path;
  for (const { name, value, dataset } of form.querySelectorAll('[data-in]')) {
    if (dataset.in === 'path') filled = filled.replace(`{${name}}`, encodeURIComponent(value));
    else if (value !== '') query.set(name, value);
  }
  const headers = {};
  const token = part('person').value === own ? part('token').value.trim() : part('person').value;
  if (token) headers.Authorization = `Bearer ${token}`;
  const text = part('body')?.value;
  if (text !== undefined) headers['Content-Type'] = 'application/json';
  let body = text;
  if (method !== 'GET') {
    lastKey = part('repeat').checked && lastKey ? lastKey : crypto.randomUUID();
    headers['Idempotency-Key'] = lastKey;
    body = text?.replace(/("idempotency_key":\s*)"[^"]*"/, `$1"${lastKey}"`);
    if (body !== undefined) part('body').value = body;
  }
  return [`${filled}${query.size > 0 ? `?${query}` : ''}`, { method, headers, ...(body === undefined ? {} : { body }) }];
}

async function send(event) {
  event.preventDefault();
  running?.abort();
  running = new AbortController();
  const { signal } = running;
  const began = performance.now();
  part('result').textContent = 'Sending …';
  part('response').hidden = true;
  try {
    const response = await fetch(...readRequest().map((one, index) => (index === 1 ? { ...one, signal } : one)));
    showStatus(response, Math.round(performance.now() - began));
    await showBody(response);
  } catch (error) {
    if (!signal.aborted) part('result').textContent = `No response: ${error.message}`;
  }
}

function showStatus(response, milliseconds) {
  const replayed = response.headers.get('idempotent-replayed') === 'true' ? ', a replay of the first response' : '';
  const id = response.headers.get('x-request-id');
  part('result').textContent = `${response.status} ${response.statusText} after ${milliseconds} ms${replayed}, request ${id}. `;
}

/** Shows a response as it arrives, since one of server-sent events does not end. A whole one of JSON is indented, and its ids are kept. */
async function showBody(response) {
  const shown = part('response');
  shown.textContent = '';
  shown.hidden = false;
  let text = '';
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) shown.textContent = text += chunk;
  if (!response.headers.get('content-type')?.includes('json')) return;
  const body = JSON.parse(text);
  shown.textContent = JSON.stringify(body, null, 2);
  if (response.ok) {
    remember(body);
    offerPayment();
  } else if (body.error?.code) {
    const link = document.createElement('a');
    link.href = `/docs/errors#${body.error.code}`;
    link.textContent = `What to do about ${body.error.code}`;
    part('result').append(link);
  }
}

/** Shows how to pay once there is an order to be paid. */
function offerPayment() {
  if (part('pay')) part('pay').hidden = !remembered.client_secret;
}

/** Pays the last order at the payment simulator, as a payment sheet does. */
async function pay() {
  const payment = { client_secret: remembered.client_secret, payment_method: part('card').value };
  const headers = { 'Content-Type': 'application/json' };
  const response = await fetch(part('pay').dataset.pay, { method: 'POST', headers, body: JSON.stringify(payment) });
  const { outcome, error } = await response.json();
  part('result').textContent = `Payment of ${remembered.payment_intent_id}: ${outcome ?? error.message} `;
  if (outcome !== 'succeeded' || form.dataset.path.endsWith('/confirm')) return;
  const link = document.createElement('a');
  link.href = '/docs/operations/confirmOrder';
  link.textContent = 'Confirm the order';
  part('result').append(link);
}

if (form) {
  part('person').addEventListener('change', showOwnToken);
  form.addEventListener('submit', send);
  part('pay')?.querySelector('button').addEventListener('click', pay);
  offerPayment();
  fillIn();
  await offerCallers();
  form.hidden = false;
}
