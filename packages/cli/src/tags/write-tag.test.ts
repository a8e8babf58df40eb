import { type SimulatedChip, simulateChip } from '@corner/sandbox/tags';
import { expect, test } from '@jest/globals';
import { authenticate, changeKey, openSession, sendIso, sendPlain, type Transceive } from './chip-session.ts';
import { type TagKeys, verifyReading } from './tag-keys.ts';
import { readTag, writeTag } from './write-tag.ts';

const hex = (digits: string) => Uint8Array.from(Buffer.from(digits, 'hex'));
const digits = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex').toUpperCase();

const scripted = (exchanges: readonly (readonly [command: string, response: string])[]): Transceive => {
  const left = [...exchanges];
  return async (command) => {
    const [expected, response] = left.shift() ?? ['none', ''];
    expect(digits(command)).toBe(expected);
    return hex(response);
  };
};

const zero = hex('00'.repeat(16));

test('authentication, writing and settings are those of AN12196, tables 14, 17 and 18', async () => {
  const ndef = `0051D1014D550463686F6F73652E75726C2E636F6D2F6E7461673432343F653D${'30'.repeat(32)}26633D${'30'.repeat(16)}`;
  const card = scripted([
    ['9071000002000000', 'A04C124213C186F22399D33AC2A3021591AF'],
    [
      '90AF00002035C3E05A752E0144BAC0DE51C1F22C56B34408A23D8AEA266CAB947EA8E0118D00',
      '3FA64DB5446D1F34CD6EA311167F5E4985B89690C04A05F17FA7AB2F081206639100',
    ],
    [
      `908D00009F02000000800000421C73A27D827658AF481FDFF20A5025B559D0E3AA21E58D347F343CFFC768BFE596C706BC00F2176781D4B0242642A0FF5A42C461AAF894D9A1284B8C76BCFA658ACD40555D362E08DB15CF421B51283F9064BCBE20E96CAE545B407C9D651A3315B27373772E5DA2367D2064AE054AF996C6F1F669170FA88CE8C4E3A4A7BBBEF0FD971FF532C3A802AF745660F2B4D1D9A8499661EBF300`,
      'FC222E5F7A5424529100',
    ],
    ['905F0000190261B6D97903566E84C3AE5274467E89EAD799B7C1A0EF7A0400', '57BFF87B1241E93D9100'],
  ]);
  const session = await authenticate(card, 0, zero, hex('13C5DB8A5930439FC3DEF9A4C675360F'));
  await session?.full('writing', 0x8d, hex('02000000800000'), hex(ndef.padEnd(256, '0')));
  await session?.full('settings', 0x5f, hex('02'), hex('4000E0C1F121200000430000430000'));
  expect.assertions(4);
});

test('keys are changed as in AN12196, tables 25 and 26', async () => {
  const card = scripted([
    ['90C4000029022CF362B7BF4311FF3BE1DAA295E8C68DE09050560D19B9E16C2393AE9CD1FAC75D0CE20BCD1D06E600', '203BB55D1089D5879100'],
    ['90C400002900C0EB4DEEFEDDF0B513A03A95A75491818580503190D4D05053FF75668A01D6FDA6610234BDED643200', '9100'],
  ]);
  const secrets = { encryption: hex('4CF3CB41A22583A61E89B158D252FC53'), mac: hex('5529860B2FC5FB6154B7F28361D30BF9') };
  const session = openSession(card, { ...secrets, transaction: hex('7614281A'), counter: 2 });
  await changeKey(session, 2, { from: zero, to: hex('F3847D627727ED3BC9C4CC050489B966') });
  await changeKey(session, 0, { from: zero, to: hex('5004BF991F408672B1EF00F08F9E8647') });
  expect.assertions(2);
});

test('a response that is not the chip’s is refused', async () => {
  const card = scripted([['905F0000190261B6D97903566E84C3AE5274467E89EAD799B7C1A0EF7A0400', '57BFF87B1241E93E9100']]);
  const secrets = { encryption: hex('1309C877509E5A215007FF0ED19CA564'), mac: hex('4C6626F5E72EA694202139295C7A7FC7') };
  const session = openSession(card, { ...secrets, transaction: hex('9D00C4DF'), counter: 1 });
  const data = hex('4000E0C1F121200000430000430000');
  await expect(session.full('settings', 0x5f, hex('02'), data)).rejects.toThrow('the response is not the chip');
});

const uid = '04C0FFEE0000AA';
const url = 'https://shop.example/t?store=S1&at=the-table-at-the-window';
const whole = /^https:\/\/shop\.example\/t\?store=S1&at=the-table-at-the-window&key_version=[12]&picc_data=[0-9A-F]{32}&cmac=[0-9A-F]{16}$/;
const keys: TagKeys = {
  versions: {
    '1': { meta: hex('11'.repeat(16)), master: hex('12'.repeat(16)) },
    '2': { meta: hex('21'.repeat(16)), master: hex('22'.repeat(16)) },
  },
  systemId: hex('636f726e6572'),
};
const wanted = { keys, keyVersion: '1', url, overwrite: false };
const on =
  (chip: SimulatedChip): Transceive =>
  async (command) =>
    chip.answer(command);

test('the simulated chip authenticates as the one of AN12196, table 14', async () => {
  const given = ['B9E2FC789B64BF237CCCAA20EC7E6E48', '9D00C4DF'];
  const chip = simulateChip(uid, () => Buffer.from(given.shift() ?? '', 'hex'));
  const said: string[] = [];
  const card: Transceive = async (command) => {
    const response = chip.answer(command);
    said.push(digits(response));
    return response;
  };
  await sendIso(card, 'select', [...hex('00A4040C07D276000085010100')]);
  expect(await authenticate(card, 0, zero, hex('13C5DB8A5930439FC3DEF9A4C675360F'))).not.toBeNull();
  expect(said).toEqual([
    '9000',
    'A04C124213C186F22399D33AC2A3021591AF',
    '3FA64DB5446D1F34CD6EA311167F5E4985B89690C04A05F17FA7AB2F081206639100',
  ]);
});

test('a written tag proves each tap, keeps the address, and is open to no one without its keys', async () => {
  const chip = simulateChip(uid);
  expect(await writeTag(on(chip), wanted)).toMatchObject({ uid: hex(uid), keyVersion: '1', counter: 1 });
  const [first, second] = [chip.tap() ?? '', chip.tap() ?? ''];
  expect(first).toMatch(whole);
  expect([first, second].map((read) => verifyReading(read, keys)?.counter)).toEqual([2, 3]);
  expect(
    verifyReading(
      first.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
      keys,
    ),
  ).toBeNull();
  expect(verifyReading(first.replace('key_version=1', 'key_version=2'), keys)).toBeNull();
  await sendIso(on(chip), 'select', [...hex('00A4040C07D276000085010100')]);
  for (const number of [0, 1, 2, 3, 4]) expect(await authenticate(on(chip), number, zero, zero)).toBeNull();
  await expect(sendPlain(on(chip), 'write', 0x8d, hex('020000000100000F'))).rejects.toThrow('919d');
});

function taken(chip: SimulatedChip, last: number, arrives: boolean): Transceive {
  let count = 0;
  return async (command) => {
    count += 1;
    if (count < last) return chip.answer(command);
    if (count === last && arrives) chip.answer(command);
    throw new Error('the tag was taken away');
  };
}

test.each([
  ['of an empty chip', {}],
  ['that replaces the keys', { keyVersion: '2', overwrite: true }],
])(
  'a run %s, interrupted at any command, is finished by the next; and a phone reads a whole address meanwhile, or none',
  async (_, how) => {
    const prepared = async () => {
      const chip = simulateChip(uid);
      if ('overwrite' in how) await writeTag(on(chip), wanted);
      return chip;
    };
    const request = { ...wanted, ...how };
    let last = 1;
    for (let finished = false; !finished; last += 1)
      for (const arrives of [true, false]) {
        const chip = await prepared();
        finished = await writeTag(taken(chip, last, arrives), request).then(
          () => true,
          () => false,
        );
        expect(chip.tap() ?? `${url}&key_version=1&picc_data=${'0'.repeat(32)}&cmac=${'0'.repeat(16)}`).toMatch(whole);
        expect([last, (await writeTag(on(chip), request)).keyVersion]).toEqual([last, request.keyVersion]);
      }
    expect(last).toBeGreaterThan(30);
  },
);

test('a tag of ours is written again only as it was, unless it is to be overwritten; then by another version and address', async () => {
  const chip = simulateChip(uid);
  await writeTag(on(chip), wanted);
  const again = await writeTag(on(chip), wanted);
  expect(again).toMatchObject({ counter: 3, countedTo: null });
  const other = { ...wanted, url: 'https://other.example/another/path' };
  await expect(writeTag(on(chip), other)).rejects.toThrow('it is not empty: https://shop.example/t, key 0 is version 1');
  await expect(writeTag(on(chip), { ...wanted, keyVersion: '2' })).rejects.toThrow('it is not empty');
  expect(chip.tap()).toContain('https://shop.example/t?');
  const rotated = await writeTag(on(chip), { ...wanted, keyVersion: '2', overwrite: true });
  expect(rotated).toMatchObject({ keyVersion: '2', counter: 8, countedTo: null });
  const moved = await writeTag(on(chip), { ...other, keyVersion: '2', overwrite: true });
  expect(moved).toMatchObject({ counter: 1, countedTo: 9 });
  expect(chip.tap()).toMatch(/^https:\/\/other\.example\/another\/path\?key_version=2&picc_data=/);
});

test('a chip that another system wrote is left as it is, and one that holds a text too', async () => {
  const foreign = simulateChip(uid);
  const theirs = { ...keys, versions: { '1': { meta: zero, master: hex('99'.repeat(16)) } } };
  await writeTag(on(foreign), { ...wanted, keys: theirs });
  await expect(writeTag(on(foreign), { ...wanted, overwrite: true })).rejects.toThrow('another system wrote it');
  await expect(readTag(on(foreign), keys)).rejects.toThrow('not a tap by the keys');
  const full = simulateChip(uid);
  await sendIso(on(full), 'select', [...hex('00A4040C07D276000085010100')]);
  await sendPlain(on(full), 'write', 0x8d, hex('02000000030000000341'));
  await expect(writeTag(on(full), wanted)).rejects.toThrow('it is not empty: it holds data or settings, key 0 is factory');
  expect(await writeTag(on(full), { ...wanted, overwrite: true })).toMatchObject({ counter: 1 });
});

test('the simulated chip refuses a repeated command, a wrong MAC, and any key after fifty wrong ones', async () => {
  const chip = simulateChip(uid);
  let [sent, flip] = [new Uint8Array(), false];
  const card: Transceive = async (command) => {
    sent = command.map((byte, index) => (flip && index === command.length - 2 ? byte ^ 1 : byte));
    return chip.answer(sent);
  };
  const open = async () => {
    const session = await authenticate(card, 0, zero, zero);
    if (!session) throw new Error('the key is wrong');
    return session;
  };
  await sendIso(card, 'select', [...hex('00A4040C07D276000085010100')]);
  const session = await open();
  await changeKey(session, 3, { from: zero, to: hex('33'.repeat(16)) });
  expect(digits(chip.answer(sent))).toBe('911E');
  const other = await open();
  flip = true;
  await expect(changeKey(other, 3, { from: zero, to: zero })).rejects.toThrow('911e');
  flip = false;
  await expect(changeKey(await open(), 3, { from: zero, to: hex('44'.repeat(16)) })).rejects.toThrow('911e');
  for (let wrong = 0; wrong < 50; wrong += 1) expect(await authenticate(card, 0, hex('55'.repeat(16)), zero)).toBeNull();
  await expect(open()).rejects.toThrow('91ad: it delays authentication');
});

test.each([
  ['http://shop.example/t', /not an address that begins with https/],
  ['https://shop.example/t#top', /has a fragment/],
  [`https://shop.example/${'x'.repeat(200)}`, /too long for a tag by \d+ characters/],
])('%s is no address of a tag', async (address, why) => {
  const chip = simulateChip(uid);
  await expect(writeTag(on(chip), { ...wanted, url: address })).rejects.toThrow(why);
  expect(chip.tap()).toBeNull();
});
