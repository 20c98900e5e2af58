import { mail } from './builder.ts';

/** What a forger wrote, as the server of its receiver keeps it: the example of the API description. */
export const EXAMPLE = mail({
  fields: {
    'Return-Path': '<bounce@lab-good.com>',
    Received:
      'from out.lab-good.com (out.lab-good.com [193.0.6.139]) by mx.receiver.test (Postfix) with ESMTPS id 4B1 for <ben@receiver.test>; Tue, 17 Nov 2026 22:15:03 +0100',
    'Authentication-Results':
      'mx.receiver.test; dkim=pass header.d=lab-good.com header.s=google; spf=pass smtp.mailfrom=bounce@lab-good.com; dmarc=pass (p=reject sp=reject dis=none) header.from=lab-good.com',
    'DKIM-Signature':
      'v=1; a=ed25519-sha256; c=relaxed/relaxed; d=lab-good.com; s=google; h=from:to:subject; bh=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=; b=dGhpcyBpcyBubyBzaWduYXR1cmU=',
    From: 'Accounts <accounts@lab-good.com>',
    'Reply-To': 'accounts.lab-good@gmail.com',
    To: 'Ben Example <ben@receiver.test>',
    Subject: 'Urgent: invoice overdue',
    Date: 'Tue, 17 Nov 2026 22:15:00 +0100',
    'Message-ID': '<20261117221500.1@lab-good.com>',
  },
  text: 'Please pay € 12.500,00 within 24 hours to our new bank account: hxxps://pay[.]example[.]org/invoice.html\nQuestions? Call +44 20 7946 0958.',
  html: '<p>Please pay € 12.500,00 within 24 hours: <a href="https://pay.example.org/invoice.html">invoice</a> <img src="cid:logo@lab-good.com"></p>',
  related: [{ name: 'logo.png', type: 'image/png', contentId: 'logo@lab-good.com', content: Buffer.from('89504e470d0a1a0a', 'hex') }],
  attach: [{ name: 'invoice.pdf.js', type: 'application/octet-stream', content: 'WScript.Echo("invoice")' }],
});
