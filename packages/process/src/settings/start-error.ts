/** A reason not to start that only an operator can remove: the message says all there is to do about it. */
export class StartError extends Error {
  override name = 'StartError';
}
