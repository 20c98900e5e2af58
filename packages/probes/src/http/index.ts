export { browserAgentOf, type BrowserKind, ownTokenOf } from '../identity.ts';
export { familiesOf, refuseProtected } from '../judge-host.ts';
export { fetchBytes, type FetchOptions } from './fetch.ts';
export { headerLists, headerValues, type HttpHead, redirectTarget, requestFields } from './message.ts';
export { resolveTarget } from './target.ts';
export { type Hop, type Onward, type Page, type PageAnswer, type PageOptions, type Visit, visitPage } from './page.ts';
export { HttpMeasured, httpProbe } from './probe.ts';
export { type Proxy, ProxyFailure } from '../proxy/proxy.ts';
export { parseProxyUrl } from '../proxy/proxy-url.ts';
