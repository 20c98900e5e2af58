import { createHash } from 'node:crypto';
import type { Protocol } from 'puppeteer-core';
import type { DeviceAgent } from './devices.ts';

/** The identity of a browser, in every form in which a server or page may ask for it. */
export interface Agent {
  userAgent: string;
  /** `navigator.platform`. */
  platform: string;
  /** Client hints (`Sec-CH-UA…`, `navigator.userAgentData`); undefined for browsers that have none, as Safari. */
  metadata: Protocol.Emulation.UserAgentMetadata | undefined;
}

interface Template {
  /** The text between `Mozilla/5.0 (` and `)`. */
  system: string;
  platform: string;
  hints: Pick<Protocol.Emulation.UserAgentMetadata, 'platform' | 'platformVersion' | 'architecture' | 'model' | 'mobile' | 'bitness'>;
}

/** Chrome froze what its User-Agent tells of the system (User-Agent Reduction); the rest is in its client hints. */
const DESKTOPS: readonly Template[] = [
  {
    system: 'Windows NT 10.0; Win64; x64',
    platform: 'Win32',
    hints: { platform: 'Windows', platformVersion: '19.0.0', architecture: 'x86', bitness: '64', model: '', mobile: false },
  },
  {
    system: 'Macintosh; Intel Mac OS X 10_15_7',
    platform: 'MacIntel',
    hints: { platform: 'macOS', platformVersion: '15.6.1', architecture: 'arm', bitness: '64', model: '', mobile: false },
  },
  {
    system: 'X11; Linux x86_64',
    platform: 'Linux x86_64',
    hints: { platform: 'Linux', platformVersion: '6.12.0', architecture: 'x86', bitness: '64', model: '', mobile: false },
  },
];
const ANDROID: Template = {
  system: 'Linux; Android 10; K',
  platform: 'Linux armv81',
  hints: { platform: 'Android', platformVersion: '16.0.0', architecture: '', bitness: '', model: 'Pixel 9', mobile: true },
};

/** Safari of the last system that each device was given. */
const SAFARI: Readonly<Record<Exclude<DeviceAgent, 'desktop' | 'android'>, Pick<Agent, 'userAgent' | 'platform'>>> = {
  ipad: {
    userAgent:
      'Mozilla/5.0 (iPad; CPU OS 17_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.7 Mobile/15E148 Safari/604.1',
    platform: 'iPad',
  },
  iphone_10: {
    userAgent:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 10_3_4 like Mac OS X) AppleWebKit/603.3.8 (KHTML, like Gecko) Version/10.0 Mobile/14G61 Safari/602.1',
    platform: 'iPhone',
  },
  iphone_16: {
    userAgent:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 16_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.6 Mobile/15E148 Safari/604.1',
    platform: 'iPhone',
  },
  iphone_18: {
    userAgent:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
    platform: 'iPhone',
  },
};

interface AgentOptions {
  /** The real browser's version text, such as `HeadlessChrome/153.0.8034.21`: its major version decides its features. */
  browserVersion: string;
  /** Our identity, at the end of the User-Agent. */
  identity: string;
  /** Any text: the same one always draws the same desktop of the pool. */
  draw: string;
}

/** The identity that the browser claims. All ways of asking agree, with the real engine's version too. */
export function agentOf(kind: DeviceAgent, { browserVersion, identity, draw }: AgentOptions): Agent {
  if (kind !== 'desktop' && kind !== 'android') {
    const { userAgent, platform } = SAFARI[kind];
    return { userAgent: `${userAgent} ${identity}`, platform, metadata: undefined };
  }
  const { system, platform, hints } = kind === 'android' ? ANDROID : DESKTOPS[numberOf(draw) % DESKTOPS.length]!;
  const full = /\/(\d[\d.]*)/.exec(browserVersion)?.[1] ?? '0';
  const major = full.split('.')[0]!;
  const engine = 'AppleWebKit/537.36 (KHTML, like Gecko)';
  const userAgent = `Mozilla/5.0 (${system}) ${engine} Chrome/${major}.0.0.0 ${hints.mobile ? 'Mobile ' : ''}Safari/537.36 ${identity}`;
  const brands = (version: string, padding: string) => [
    { brand: 'Chromium', version },
    { brand: 'Google Chrome', version },
    // Chrome pads its list so that servers learn to skip what they do not know.
    { brand: 'Not;A=Brand', version: padding },
  ];
  return {
    userAgent,
    platform,
    metadata: { ...hints, brands: brands(major, '24'), fullVersionList: brands(full, '24.0.0.0'), fullVersion: full, wow64: false },
  };
}

const numberOf = (text: string): number => createHash('sha256').update(text).digest().readUInt32BE(0);
