/** The text of an answer up to each separator, as it comes. The rest behind the last one is left out. */
async function* parts(response: Response, separator: string): AsyncGenerator<string> {
  // Not by `for await`: older Safaris cannot iterate a stream.
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  try {
    let text = '';
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      let from = Math.max(0, text.length - separator.length + 1);
      // Lines may end with CRLF (a proxy's doing); JSON has no CR of its own.
      text += value.replaceAll('\r', '');
      let start = 0;
      for (let end = text.indexOf(separator, from); end !== -1; end = text.indexOf(separator, from)) {
        yield text.slice(start, end);
        start = from = end + separator.length;
      }
      text = text.slice(start);
    }
  } finally {
    // Where the caller stops early the gateway is told.
    await reader.cancel().catch(() => undefined);
  }
}

/** The events of a stream (WHATWG HTML §9.2), as the gateway writes them: `data` is one line, and a comment has none. */
export async function* eventsIn(response: Response): AsyncGenerator<{ event: string; data: unknown }> {
  for await (const block of parts(response, '\n\n')) {
    let event = 'message';
    let data: string | undefined;
    for (const line of block.split('\n')) {
      if (line.startsWith('event: ')) event = line.slice(7);
      else if (line.startsWith('data: ')) data = line.slice(6);
    }
    if (data !== undefined) yield { event, data: JSON.parse(data) as unknown };
  }
}

/** The values of a body of one JSON object a line. */
export async function* linesIn(response: Response): AsyncGenerator {
  for await (const line of parts(response, '\n')) if (line !== '') yield JSON.parse(line) as unknown;
}
