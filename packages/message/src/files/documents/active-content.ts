/** Markup that runs when a page is opened, asks for a secret, or redirects by itself. Formatting, links and pictures do not match. */
const ACTIVE =
  /<(?:script|iframe|frame|object|embed|applet|form|foreignobject|hta:application)[\s>/]|\bjavascript:|\bvbscript:|\bdata:text\/html|\bhttp-equiv\s{0,4}=\s{0,4}["']?refresh|[\s"'/]on(?:load|error|click|focus|begin|mouseover|submit|animationstart|toggle)\s{0,4}=/i;

/** Whether HTML or SVG does more than show itself. */
export function isActive(content: Uint8Array): boolean {
  const data = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const isWide = (data[0] === 0xff && data[1] === 0xfe) || (data[0] === 0x3c && data[1] === 0);
  return ACTIVE.test(data.toString(isWide ? 'utf16le' : 'latin1'));
}
