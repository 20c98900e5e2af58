/** A term that RFC 7208's grammar does not allow; the message tells what is wrong with it. */
export class SpfSyntaxError extends Error {}
