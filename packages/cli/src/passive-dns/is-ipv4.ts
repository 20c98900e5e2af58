import { parseIp } from '@vedette/contract';

/** Whether a text is an IPv4 address, written whole. */
export const isIPv4 = (text: string): boolean => /^\d{1,3}(?:\.\d{1,3}){3}$/.test(text) && parseIp(text) !== undefined;
