export { mtu, MtuFamily } from './probe.ts';
export { searchMtu, type Tried } from './search.ts';
