import { createAddressPolicy } from '@vedette/probes/host';
import { parseCidr, parseCidrs } from '@vedette/contract';
import { describe, expect, it } from 'vitest';

describe('createAddressPolicy', () => {
  const policy = createAddressPolicy({ ownAddresses: () => ['93.184.216.34'] });

  it('allows what is proven public and says what it is', () => {
    expect(policy.judge('8.8.8.8', 443)).toEqual({ allowed: true, class: 'public', address: '8.8.8.8' });
    expect(policy.judge('2606:4700::1111')).toEqual({ allowed: true, class: 'public', address: '2606:4700::1111' });
  });

  it.each(['127.0.0.1', '10.1.2.3', '::ffff:10.0.0.1', '64:ff9b::7f00:1', 'not an address', ''])('refuses %j', (address) => {
    expect(policy.judge(address, 80).allowed).toBe(false);
  });

  it("refuses this machine's own public address", () => {
    expect(policy.judge('93.184.216.34', 80)).toEqual({ allowed: false, class: 'public', address: '93.184.216.34' });
  });

  it.each([22, 25, 6667, 0, 65_536])('refuses port %i (Fetch standard)', (port) => {
    expect(policy.judge('8.8.8.8', port).allowed).toBe(false);
  });

  describe('with an allowed network', () => {
    const lab = createAddressPolicy({
      allowNets: ['127.0.0.0/8', '10.0.0.0/8'],
      listeners: () => [
        { addresses: ['::1', '10.0.0.7'], ports: [8080, 9464] },
        { addresses: ['10.0.0.9', '1.1.1.1'], ports: [5432] },
      ],
    });

    it('lets it through, mapped form included', () => {
      expect(lab.judge('127.0.0.1', 3000)).toEqual({ allowed: true, class: 'loopback', address: '127.0.0.1' });
      expect(lab.judge('::ffff:127.0.0.1', 3000).allowed).toBe(true);
    });

    it('still refuses our own listeners, by whatever loopback address', () => {
      expect(lab.judge('127.0.0.1', 8080).allowed).toBe(false);
      expect(lab.judge('127.9.9.9', 8080).allowed).toBe(false);
      expect(lab.judge('::ffff:127.0.0.1', 9464).allowed).toBe(false);
    });

    it.each([
      ['10.0.0.7', 9464, false],
      ['10.0.0.7', 5432, true],
      ['10.0.0.9', 5432, false],
      ['::ffff:10.0.0.9', 5432, false],
      ['127.0.0.1', 5432, true], // of another machine
      ['10.0.0.8', 8080, true],
      ['1.1.1.1', 5432, false], // public, and ours all the same
      ['1.1.1.1', 443, true],
    ])('as they are told: %s port %i is allowed: %s', (address, port, allowed) => {
      expect(lab.judge(address, port).allowed).toBe(allowed);
    });

    it('lets nothing else through', () => {
      expect(lab.judge('192.168.0.1', 80).allowed).toBe(false);
      expect(lab.judge('::1', 80).allowed).toBe(false);
    });
  });

  it('refuses what the operator denies, mapped form included, and takes a change over', () => {
    let denied = [parseCidr('8.8.8.0/24')!, parseCidr('127.0.0.9/32')!];
    const strict = createAddressPolicy({ allowNets: ['127.0.0.0/8'], denied: () => denied });
    expect(strict.judge('8.8.8.8', 443)).toEqual({ allowed: false, class: 'public', address: '8.8.8.8' });
    expect(['::ffff:127.0.0.9', '127.0.0.9', '127.0.0.8', '8.8.4.4'].map((address) => strict.judge(address).allowed)).toEqual([
      false,
      false,
      true,
      true,
    ]);
    denied = [];
    expect(strict.judge('8.8.8.8', 443).allowed).toBe(true);
  });

  it('judges what stands behind a NAT64 prefix of this network', () => {
    const nat64 = parseCidrs(['2a02:26f7:64::/96']);
    const translating = createAddressPolicy({
      nat64: () => nat64,
      ownAddresses: () => ['93.184.216.34'],
      denied: () => parseCidrs(['9.9.9.0/24', '2a02:26f7:64::8.8.4.0/120']),
      allowNets: ['10.0.0.0/8'],
    });
    const allowed = (v4: string) => translating.judge(`2a02:26f7:64::${v4}`, 443).allowed;
    expect(allowed('8.8.8.8')).toBe(true);
    expect(allowed('10.1.2.3')).toBe(true); // as the operator says
    expect(['192.168.1.1', '127.0.0.1', '93.184.216.34', '9.9.9.9', '8.8.4.4'].filter(allowed)).toEqual([]);
  });

  it('reads mapped networks as those that they stand for', () => {
    const mapped = createAddressPolicy({ allowNets: ['::ffff:10.0.0.0/104'], denied: () => parseCidrs(['::ffff:9.9.9.0/120']) });
    expect(['10.9.9.9', '9.9.9.9'].map((address) => mapped.judge(address, 443).allowed)).toEqual([true, false]);
  });

  it('names what is not a CIDR', () => {
    expect(() => createAddressPolicy({ allowNets: ['10.0.0.0/8', 'lab'] })).toThrow('not a CIDR: lab');
  });
});
