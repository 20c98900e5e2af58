import { languagesOf, type PageLoad } from '@vedette/contract';
import type { CDPSession } from 'puppeteer-core';
import type { Agent } from './agents.ts';
import type { Device } from './devices.ts';

/** `window.open` while a page loads keeps Chromium from ever calling it loaded, and a picture has no second window. */
const NO_WINDOWS = 'window.open = () => null;';

/** The number of most desktop computers; pages do not learn the host's. */
const PROCESSORS = 8;

/** Makes a blank page what the job asks for, before anything is opened in it. */
export async function applySettings(
  session: CDPSession,
  load: PageLoad,
  { device, agent }: { device: Device; agent: Agent },
): Promise<void> {
  await Promise.all([
    session.send('Page.enable'),
    session.send('Network.enable', { maxTotalBufferSize: 0, maxResourceBufferSize: 0 }),
    sizeWindow(session, device),
    session.send('Emulation.setTouchEmulationEnabled', { enabled: device.touch, maxTouchPoints: 5 }),
    sayWho(session, load, agent),
    session.send('Emulation.setEmulatedMedia', {
      media: load.emulate_media,
      features: [{ name: 'prefers-color-scheme', value: load.dark_mode ? 'dark' : 'light' }],
    }),
    session.send('Emulation.setScrollbarsHidden', { hidden: true }),
    session.send('Page.addScriptToEvaluateOnNewDocument', { source: NO_WINDOWS }),
    ...(load.disable_js ? [session.send('Emulation.setScriptExecutionDisabled', { value: true })] : []),
    // As a browser shows a page after its user has clicked the warning away; but a server with an invalid certificate gets no secret.
    ...(hasSecrets(load) ? [] : [session.send('Security.setIgnoreCertificateErrors', { ignore: true })]),
  ]);
}

/** Makes the page's window that of a device, or of one that is only higher. */
export async function sizeWindow(session: CDPSession, { width, height, scale, mobile }: Device): Promise<void> {
  const orientation =
    width > height ? ({ type: 'landscapePrimary', angle: 90 } as const) : ({ type: 'portraitPrimary', angle: 0 } as const);
  await session.send('Emulation.setDeviceMetricsOverride', {
    width,
    height,
    screenWidth: width,
    screenHeight: height,
    deviceScaleFactor: scale,
    mobile,
    ...(mobile && { screenOrientation: orientation }),
  });
}

/** Tells a page, or what it has in a process of its own, who its browser is. */
export const sayWho = async (session: CDPSession, load: PageLoad, agent: Agent): Promise<void> => {
  await Promise.all([
    session.send('Emulation.setUserAgentOverride', {
      userAgent: agent.userAgent,
      platform: agent.platform,
      acceptLanguage: languagesOf(load.accept_language)?.join(',') || 'en-US',
      ...(agent.metadata !== undefined && { userAgentMetadata: agent.metadata }),
    }),
    session.send('Emulation.setHardwareConcurrencyOverride', { hardwareConcurrency: PROCESSORS }),
  ]);
};

const hasSecrets = (load: PageLoad): boolean =>
  load.basic_auth !== undefined ||
  load.authorization_bearer !== undefined ||
  load.custom_header !== undefined ||
  (load.url !== undefined && new URL(load.url).password !== '');
