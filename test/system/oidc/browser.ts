type Asked = Omit<RequestInit, 'headers'> & { headers?: Record<string, string> };

/** A browser as far as sign-in needs one: cookies by origin, redirects one by one, forms. */
export class Browser {
  readonly #cookies = new Map<string, Map<string, string>>();
  /** Headers that the browser adds to each request. */
  readonly headers: Record<string, string>;

  constructor(headers: Record<string, string> = {}) {
    this.headers = headers;
  }

  cookies(origin: string): Map<string, string> {
    const known = this.#cookies.get(origin) ?? new Map<string, string>();
    this.#cookies.set(origin, known);
    return known;
  }

  /** One request; no redirect is followed. */
  async ask(url: string, { headers, ...init }: Asked = {}): Promise<Response> {
    const jar = this.cookies(new URL(url).origin);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, {
      ...init,
      redirect: 'manual',
      headers: { ...this.headers, ...(cookie !== '' && { cookie }), ...headers },
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      if (value === '' || /max-age=0/i.test(line)) jar.delete(name!);
      else jar.set(name!, value!);
    }
    return response;
  }

  /** Follows redirects until a page comes, or one leads to `until`. Resolves to its URL and its text. */
  async go(url: string, until = '', init: Asked = {}): Promise<{ url: string; text: string }> {
    let response = await this.ask(url, init);
    let at = url;
    for (let hops = 0; hops < 12 && response.headers.has('location'); hops++) {
      at = new URL(response.headers.get('location')!, at).href;
      if (until !== '' && at.startsWith(until)) return { url: at, text: '' };
      response = await this.ask(at);
    }
    return { url: at, text: await response.text() };
  }

  /** Signs in at the provider's pages for developers, and goes on to `until`. */
  async signIn(start: string, login: string, until: string): Promise<string> {
    let page = await this.go(start, until);
    for (let forms = 0; forms < 4 && !page.url.startsWith(until); forms++) {
      const action = /action="([^"]+)"/.exec(page.text)?.[1];
      if (action === undefined) throw new Error(`no form on ${page.url}: ${page.text.slice(0, 300)}`);
      const prompt = /name="prompt" value="(\w+)"/.exec(page.text)?.[1] ?? 'login';
      const body = new URLSearchParams({ prompt, login, password: 'any' });
      page = await this.go(action, until, {
        method: 'POST',
        body: body.toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
    }
    return page.url;
  }
}
