export { fetchBytes, type FetchOptions } from './fetch.ts';
export { headerValues, type HttpHead } from './message.ts';
export { type Hop, type Page, type PageOptions, type Visit, type VisitEnd, visitPage } from './page.ts';
export { httpProbe } from './probe.ts';
