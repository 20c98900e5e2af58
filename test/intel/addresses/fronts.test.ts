import type { Mark } from '@vedette/intel/ports';
import { isFront } from '@vedette/intel/addresses';
import { expect, it } from 'vitest';

const networks = (asn: number, marks: readonly Mark[] = []) => ({
  marks: () => marks,
  hasList: () => false,
  origin: () => ({ asn, org: '', route: '' }),
});

it.each<[string, boolean, string, number]>([
  ['Azure Front Door, before its list has come', true, '13.107.246.57', 8_075],
  ['another front of it', true, '13.107.213.69', 8_075],
  ['the front of Office and Bing', true, '13.107.21.200', 8_068],
  ["a sinkhole of Microsoft's own", false, '207.46.90.9', 8_075],
  ["a customer's machine at Azure", false, '168.62.217.117', 8_075],
  ['Cloudflare', true, '104.21.27.14', 13_335],
  ['Fastly', true, '151.101.1.69', 54_113],
  ["a customer's machine at Amazon", false, '52.5.245.208', 16_509],
  ['a front of nobody', false, '198.51.100.7', 64_496],
])('%s: %s', (_whose, expected, address, asn) => {
  expect(isFront(address, networks(asn))).toBe(expected);
});

it('CloudFront is known by the service that the list names', () => {
  const at = (label: string) => isFront('198.51.100.7', networks(16_509, [{ list: 'aws', label }]));
  expect([at('CLOUDFRONT/GLOBAL'), at('EC2/us-east-1')]).toEqual([true, false]);
});
