export { exitEndpoints, parseVpnExits } from './exits.ts';
export { vpnProbe } from './probe.ts';
