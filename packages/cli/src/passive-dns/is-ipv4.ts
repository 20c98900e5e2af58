import { parseIp } from '@vedette/contract';

/** Whether a text is an IPv4 address, written whole. */
export const isIPv4 = (text: string): boolean => parseIp(text)?.version === 4;
