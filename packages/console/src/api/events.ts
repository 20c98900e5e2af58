/** The events of docs/streams.md. A reader, since older browsers cannot iterate over a stream. */
export async function* events({ body }: Pick<Response, 'body'>): AsyncGenerator<{ event: string; data: unknown }> {
  const reader = body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      // A line may end with CR LF; one that is cut between them ends with the next piece.
      const blocks = (text + value).replaceAll('\r\n', '\n').split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const fields = new Map(
          block.split('\n').map((line): [string, string] => [line.split(': ', 1)[0]!, line.slice(line.indexOf(': ') + 2)]),
        );
        const data = fields.get('data');
        if (data !== undefined) yield { event: fields.get('event') ?? 'message', data: JSON.parse(data) as unknown };
      }
    }
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}
