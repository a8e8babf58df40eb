import { expect, test } from '@jest/globals';
import { faultOfAddress, isPublicAddress } from './address.ts';

const settings = { allowedHosts: ['localhost:8090', 'receiver.corp.example', '[::1]:8090'], ownHosts: ['shop.example', '198.41.0.4'] };
const fault = (address: string) => faultOfAddress(address, settings);

test.each([
  'https://hooks.partner.example/corner?key=1',
  'https://hooks.partner.example:8443/',
  'https://192.0.78.9/',
  'https://[2606:4700::1111]/',
  'http://localhost:8090/hook',
  'http://[::1]:8090/hook',
  'https://receiver.corp.example:7000/',
  'http://receiver.corp.example/',
])('%s is allowed', (address) => {
  expect(fault(address)).toBeNull();
});

test.each([
  ['hooks.partner.example', 'must be an absolute address'],
  ['https://[fe80::1%25eth0]/', 'must be an absolute address'],
  ['http://hooks.partner.example/', 'must begin with https://'],
  ['ftp://hooks.partner.example/', 'must begin with https://'],
  ['file:///etc/passwd', 'must begin with https://'],
  ['http://localhost:8091/', 'must begin with https://'],
  ['https://user@hooks.partner.example/', 'must not hold a user or a password'],
  ['http://:secret@localhost:8090/', 'must not hold a user or a password'],
  ['https://hooks.partner.example/#', 'must not have a fragment'],
  ['https://shop.example/api/v1/orders', 'must not be an address of this system'],
  ['https://SHOP.example.:444/', 'must not be an address of this system'],
  ['https://198.41.0.4/', 'must not be an address of this system'],
  ['https://localhost/', 'must be at a public host name'],
  ['https://postgres:5432/', 'must be at a public host name'],
  ['https://nats.corner.svc.cluster.local./', 'must be at a public host name'],
  ['https://metadata.google.internal/', 'must be at a public host name'],
  ['https://a.localhost/', 'must be at a public host name'],
  // Further spellings of 127.0.0.1, 169.254.169.254 and 10.0.0.1.
  ['https://2130706433/', 'must be at a public address'],
  ['https://0x7f.1/', 'must be at a public address'],
  ['https://0177.0.0.1/', 'must be at a public address'],
  ['https://１２７.0.0.1/', 'must be at a public address'],
  ['https://127.0.0.1./', 'must be at a public address'],
  ['https://0xa9fea9fe/latest/meta-data', 'must be at a public address'],
  ['https://[::ffff:10.0.0.1]/', 'must be at a public address'],
  ['https://[0:0:0:0:0:0:0:1]/', 'must be at a public address'],
])('%s is refused: %s', (address, expected) => {
  expect(fault(address)).toBe(expected);
});

test.each([
  ['this host', '0.0.0.0', '0.1.2.3', '::'],
  ['loopback', '127.0.0.1', '127.255.255.254', '::1'],
  ['private', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fd00::1', 'fc00::1', 'fec0::1'],
  ['link-local, and the metadata of clouds', '169.254.169.254', '169.254.0.1', 'fe80::1', 'fd00:ec2::254'],
  ['of a carrier', '100.64.0.1', '100.100.100.200', '100.127.255.255'],
  ['multicast and broadcast', '224.0.0.1', '239.255.255.250', '255.255.255.255', 'ff02::1'],
  [
    'reserved or for documents',
    '192.0.0.8',
    '192.0.2.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '240.0.0.1',
    '2001:db8::1',
    '3fff::1',
  ],
  ['IPv4 in IPv6', '::ffff:127.0.0.1', '::ffff:a00:1', '::127.0.0.1', '::7f00:1', '::ffff:0:127.0.0.1'],
  ['IPv4 behind NAT64', '64:ff9b::127.0.0.1', '64:ff9b::a9fe:a9fe', '64:ff9b::10.0.0.1', '64:ff9b:1::192.0.78.9'],
  ['tunnels', '2002:7f00:1::', '2002:c000:4e09::1', '2001::1', '2001:0:a00:1::'],
  ['no address', '', 'localhost', '127.1', '2130706433', '1.1.1.1/8', '[::1]'],
])('%s: not public', (_, ...addresses) => {
  expect(addresses.filter(isPublicAddress)).toEqual([]);
});

test('addresses of hosts of the internet are public, also behind NAT64', () => {
  const addresses = [
    '192.0.78.9',
    '172.32.0.1',
    '100.128.0.1',
    '223.255.255.1',
    '2606:4700::1111',
    '64:ff9b::192.0.78.9',
    '::ffff:192.0.78.9',
  ];
  expect(addresses.filter((address) => !isPublicAddress(address))).toEqual([]);
});
