import { networkSigns } from '@vedette/intel/addresses';
import { expect, it } from 'vitest';

const world = (marks: Record<string, readonly string[]>, asn = 64_496) => ({
  marks: (address: string) => (marks[address] ?? []).map((list) => ({ list, label: '' })),
  origin: () => ({ asn, route: '198.51.100.0/24', org: 'Example' }),
  hasList: () => false,
});

it('names the address and who lists its network, each kind once', () => {
  const networks = world({
    '198.51.100.1': ['tor-exits'],
    '198.51.100.2': ['spamhaus-drop', 'spamhaus-asndrop', 'x4b-vpn'],
    '198.51.100.3': ['spamhaus-drop'],
  });
  expect(networkSigns(['198.51.100.1', '198.51.100.2', '198.51.100.3', '198.51.100.4'], networks)).toEqual([
    { factor: 'tor_exit', detail: '198.51.100.1 is an exit of Tor' },
    { factor: 'drop_network', detail: 'Spamhaus DROP has the network of 198.51.100.2' },
    { factor: 'criminal_system', detail: 'Spamhaus ASN-DROP has AS64496, which announces 198.51.100.2' },
  ]);
});

it('accuses no host for the address of a content delivery network', () => {
  expect(networkSigns(['198.51.100.2'], world({ '198.51.100.2': ['spamhaus-drop', 'tor-exits'] }, 54_113))).toEqual([]);
});
