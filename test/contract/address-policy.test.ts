import { createAddressPolicy, parseCidr } from '@vedette/contract';
import { describe, expect, it } from 'vitest';

describe('createAddressPolicy', () => {
  const policy = createAddressPolicy({ ownAddresses: () => ['93.184.216.34'], ownPorts: () => [8080] });

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
    const lab = createAddressPolicy({ allowNets: ['127.0.0.0/8'], ownAddresses: () => ['127.0.0.1'], ownPorts: () => [8080] });

    it('lets it through, mapped form included', () => {
      expect(lab.judge('127.0.0.1', 3000)).toEqual({ allowed: true, class: 'loopback', address: '127.0.0.1' });
      expect(lab.judge('::ffff:127.0.0.1', 3000).allowed).toBe(true);
    });

    it('still refuses our own listeners, by whatever loopback address', () => {
      expect(lab.judge('127.0.0.1', 8080).allowed).toBe(false);
      expect(lab.judge('127.9.9.9', 8080).allowed).toBe(false);
    });

    it('lets nothing else through', () => {
      expect(lab.judge('10.0.0.1', 80).allowed).toBe(false);
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

  it('names what is not a CIDR', () => {
    expect(() => createAddressPolicy({ allowNets: ['10.0.0.0/8', 'lab'] })).toThrow('not a CIDR: lab');
  });
});
