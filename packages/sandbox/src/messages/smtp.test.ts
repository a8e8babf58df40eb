import { testFolder } from '@corner/testkit';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createTransport, type Transporter } from 'nodemailer';
import { type RunningMessages, startMessages } from './start-messages.ts';

let folder: Awaited<ReturnType<typeof testFolder>>;
let messages: RunningMessages;
let transport: Transporter;

beforeAll(async () => {
  folder = await testFolder();
  messages = await startMessages({ folder: folder.path, now: () => new Date('2026-03-04T05:06:07.890Z') });
  transport = createTransport(messages.environment.SMTP_URL);
});

afterAll(async () => {
  transport.close();
  await messages.stop();
  await folder[Symbol.asyncDispose]();
});

beforeEach(() => {
  messages.controls.empty();
  messages.controls.clearFaults();
});

const send = (to: string | string[], rest: object = {}) =>
  transport.sendMail({ from: messages.environment.MAIL_FROM, to, subject: 'Your order is ready', text: 'Come in.', ...rest });

test('an accepted mail keeps its sender, recipient, subject, both texts and headers', async () => {
  await send('Ana@Example.com', {
    subject: 'Prêt à emporter ☕',
    text: 'Ça y est.\nÀ bientôt.',
    html: '<p>Ça y est.</p>',
    headers: { 'X-Corner-Event': 'e1' },
  });
  expect(messages.inbox.all()).toEqual([
    expect.objectContaining({
      at: '2026-03-04T05:06:07.890Z',
      channel: 'email',
      by: 'smtp',
      to: 'ana@example.com',
      from: 'no-reply@corner.example.com',
      title: 'Prêt à emporter ☕',
      text: 'Ça y est.\nÀ bientôt.',
      html: expect.stringContaining('<p>Ça y est.</p>'),
      headers: expect.objectContaining({ 'x-corner-event': 'e1', 'message-id': expect.stringMatching(/^<.+>$/) }),
    }),
  ]);
});

test('a mail to several recipients is one message for each in the inbox', async () => {
  await send(['ana@example.com', 'ben@example.com']);
  expect(messages.inbox.all()).toHaveLength(2);
  expect(messages.inbox.to('ben@example.com').map(({ to }) => to)).toEqual(['ben@example.com']);
});

test.each(['the recipient %p is refused, since it is not an address', 'ana@example..com', `${'x'.repeat(65)}@example.com`])(
  'refuses %p, which is no address',
  async (to) => {
    const sending = transport.sendMail({
      envelope: { from: 'corner@example.com', to: [to] },
      raw: 'From: corner@example.com\r\n\r\nHello',
    });
    await expect(sending).rejects.toMatchObject({ code: 'EENVELOPE' });
    expect(messages.inbox.all()).toEqual([]);
  },
);

test('a sender without an address is refused, in the envelope and in the mail', async () => {
  const envelope = { from: 'corner', to: ['ana@example.com'] };
  await expect(transport.sendMail({ envelope, raw: 'From: corner@example.com\r\n\r\nHello' })).rejects.toMatchObject({
    command: 'MAIL FROM',
  });
  const good = { ...envelope, from: 'corner@example.com' };
  await expect(transport.sendMail({ envelope: good, raw: 'Subject: Hello\r\n\r\nHello' })).rejects.toMatchObject({ responseCode: 550 });
  expect(messages.inbox.all()).toEqual([]);
});

test('a mail larger than the advertised size is refused', async () => {
  await expect(send('ana@example.com', { text: 'x'.repeat(1_100_000) })).rejects.toMatchObject({ responseCode: 552 });
  expect(messages.inbox.all()).toEqual([]);
});

test('a fault responds with 451 or 450 as often as it says and for its recipient only; later mails are accepted', async () => {
  messages.controls.fail({ at: 'smtp', how: 'unavailable', to: 'ana@example.com', times: 2 });
  messages.controls.fail({ at: 'smtp', how: 'too_many', to: 'ana@example.com' });
  await send('ben@example.com');
  const codes = [];
  for (let i = 0; i < 3; i += 1) codes.push(await send('ana@example.com').catch(({ responseCode }) => responseCode));
  expect(codes).toEqual([451, 451, 450]);
  await send('ana@example.com');
  expect(messages.inbox.all().map(({ to }) => to)).toEqual(['ben@example.com', 'ana@example.com']);
});

test('a fault responds with 550 for a recipient that does not exist', async () => {
  messages.controls.fail({ at: 'smtp', how: 'refused', to: 'gone@example.com', times: 5 });
  await expect(send('gone@example.com')).rejects.toMatchObject({ responseCode: 550 });
});

test('a fault closes the connection before the mail is accepted, or afterwards so that the response is lost', async () => {
  messages.controls.fail({ at: 'smtp', how: 'hang_up' });
  await expect(send('ana@example.com')).rejects.toMatchObject({ code: 'ECONNECTION' });
  expect(messages.inbox.all()).toEqual([]);
  messages.controls.fail({ at: 'smtp', how: 'hang_up_after' });
  await expect(send('ana@example.com')).rejects.toMatchObject({ code: 'ECONNECTION' });
  expect(messages.inbox.to('ana@example.com')).toHaveLength(1);
});

test('the page links to a mail’s HTML, which can run nothing, load nothing and send nothing', async () => {
  await send('ana@example.com', { html: '<p>Ça y est.</p><script>fetch("/_sim/empty")</script>' });
  await send('ben@example.com');
  const page = await (await fetch(messages.url)).text();
  expect(page).not.toContain('<script>');
  const links = [...page.matchAll(/href="([^"]+)"/g)].map(([, href]) => href ?? '');
  expect(links).toHaveLength(1);
  const part = await fetch(`${messages.url}${links[0]}`);
  expect(await part.text()).toContain('<p>Ça y est.</p>');
  const policy = part.headers.get('content-security-policy') ?? '';
  expect(policy).toMatch(/^sandbox allow-popups;/);
  for (const rule of ["default-src 'none'", "form-action 'none'"]) expect(policy).toContain(rule);
  expect(policy).not.toMatch(/allow-(scripts|same-origin)/);
  expect((await fetch(`${messages.url}/inbox/99999.html`)).status).toBe(404);
});
