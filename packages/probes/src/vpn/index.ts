export { exitEndpoints, parseVpnExits, type VpnExit } from './exits.ts';
export { vpnProbe } from './probe.ts';
