/** Features of Chromium that are off, each with what it would do. */
const FEATURES_OFF = [
  'AcceptCHFrame', // restarts a request for what a server's TLS says; nothing that a picture needs
  'AutofillServerCommunication', // tells what forms a page has
  'CertificateTransparencyComponentUpdater',
  'DialMediaRouteProvider', // looks for televisions in the local network, over UDP
  'DnsOverHttpsUpgrade', // names are the proxy's to resolve
  'AsyncDns',
  'EncryptedClientHello', // asks the DNS for HTTPS records
  'UseDnsHttpsSvcb',
  'FedCm', // dialogs of the browser itself
  'HttpsFirstBalancedModeAutoEnable', // a URL is opened as it was given
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkPrediction',
  'OptimizationHints', // asks which pages are to be treated how
  'OptimizationGuideModelDownloading',
  'PreconnectToSearch',
  'Prerender2',
  'PrivacySandboxSettings4',
  'SegmentationPlatform',
  'SpeculationRulesPrefetchFuture',
  'Translate', // a bubble, and a host to ask
  'WebOTP',
  'WebRtcHideLocalIpsWithMdns', // would answer, and ask, by multicast
  'WebTransport',
  'BackForwardCache', // a page that was left is gone
  'PaintHolding', // a page is shown as it is, not as the one before was
  'GlobalMediaControls',
  'InterestFeedContentSuggestions',
  'DestroyProfileOnBrowserClose',
];

export interface BrowserSwitchOptions {
  /** Port on loopback of a proxy that lets nothing through: for all that is not a job's context. */
  deniedPort: number;
  /** User-Agent of what no page's own reaches, such as a service worker's script. */
  userAgent: string;
}

/**
 * How Chromium is started: every switch, in place of a driver's own. The sandbox is not among them: it is on by default. Switches that keep
 * packets in stand first. They work independently: a page does not get out even if one of them fails (test/renderer/egress).
 */
export const browserSwitches = ({ deniedPort, userAgent }: BrowserSwitchOptions): string[] => [
  '--headless',
  `--user-agent=${userAgent}`, // says who we are, and nothing of Headless
  '--remote-debugging-pipe', // no port that a page or a neighbour could find
  // The way out. Each context has a proxy of its own; whatever has none, the browser's own requests among them, gets this one.
  `--proxy-server=http://127.0.0.1:${deniedPort}`,
  '--proxy-bypass-list=<-loopback>', // else requests to localhost and 127.0.0.0/8 go there directly
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1', // no name is ever looked up here; the proxy is an address
  '--no-proxy-auto-detect', // WPAD: DHCP and a host called wpad
  // The headless shell heeds the first, all of Chromium the second: no UDP but through a proxy, and ours carries none.
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-quic', // UDP past the proxy
  '--disable-features=' + FEATURES_OFF.join(','),
  '--dns-prefetch-disable',
  '--no-pings', // <a ping>
  // Switches off a browser's own activity.
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-component-extensions-with-background-pages',
  '--disable-default-apps',
  '--disable-extensions',
  '--disable-domain-reliability', // reports of network errors
  '--disable-breakpad',
  '--disable-crash-reporter',
  '--disable-client-side-phishing-detection',
  '--safebrowsing-disable-auto-update',
  '--disable-sync',
  '--disable-search-engine-choice-screen',
  '--disable-field-trial-config', // the same browser everywhere
  '--metrics-recording-only', // nothing is sent
  '--no-first-run',
  '--no-default-browser-check',
  '--no-service-autorun',
  '--disable-notifications',
  '--disable-speech-api',
  '--disable-print-preview',
  '--deny-permission-prompts', // camera, place and the like: nobody is there to be asked
  '--noerrdialogs',
  '--password-store=basic', // no keyring of the machine
  '--use-mock-keychain',
  // Pages in the background are drawn as fast as others: no page has the focus.
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
  '--disable-hang-monitor', // who hangs is ended by us
  '--disable-dev-shm-usage', // containers have 64 MB of it
  '--disable-gpu-watchdog',
  '--disable-gpu', // drawn by the CPU: the same everywhere, and sooner than by an emulated GPU
  '--enable-unsafe-swiftshader',
  '--mute-audio',
  '--hide-scrollbars',
  '--force-color-profile=srgb',
  '--font-render-hinting=none',
  '--export-tagged-pdf',
  // A page's script may not take all of the memory; a picture of 15,000 px needs little of this kind.
  '--js-flags=--max-old-space-size=512',
  'about:blank',
];
