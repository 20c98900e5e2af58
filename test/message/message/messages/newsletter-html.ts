interface Newsletter {
  title: string;
  /** What mail programs show behind the subject, hidden in the message. */
  preheader: string;
  /** HTML, each a row of the table. */
  rows: readonly string[];
  /** URL of a picture of one pixel that tells the sender when it is shown. */
  pixel?: string;
}

/**
 * HTML as the editors of mailing platforms write it: a doctype and namespaces of Office, which are no links; a comment for Outlook, a style sheet with classes
 * and fonts, a preheader padded with characters that nobody sees, tables in tables, a pixel.
 */
export function newsletterHtml({ title, preheader, rows, pixel }: Newsletter): string {
  return `<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office">
<head>
<!--[if gte mso 9]><xml><o:OfficeDocumentSettings><o:AllowPNG/><o:PixelsPerInch>96</o:PixelsPerInch></o:OfficeDocumentSettings></xml><![endif]-->
<meta http-equiv="Content-Type" content="text/html; charset=UTF-8">
<meta name="viewport" content="width=device-width, initial-scale=1.0">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no">
<title>${title}</title>
<style type="text/css">
@import url('https://fonts.googleapis.com/css2?family=Lato:wght@400;700&display=swap');
body.mcnTextContent, td.block.inner { font-family: 'Lato', Arial, sans-serif; line-height: 1.5; mso-line-height-rule: exactly }
#outlook a { padding: 0 } .ExternalClass, .ReadMsgBody { width: 100% }
.button.primary { background: #2f6f5e; border-radius: 4px } a[x-apple-data-detectors] { color: inherit !important }
@media only screen and (max-width:480px) { .columnWrapper { max-width: 100% !important } }
</style>
</head>
<body style="margin:0;padding:0;background-color:#f4f4f4">
<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">${preheader}${'&zwnj;&nbsp;'.repeat(40)}</div>
<table role="presentation" border="0" cellpadding="0" cellspacing="0" width="100%" id="bodyTable"><tr><td align="center" valign="top">
<!--[if mso]><table width="600"><tr><td><![endif]-->
<table role="presentation" class="columnWrapper" width="600">
${rows.map((row) => `<tr><td class="block inner" style="padding:12px 24px">${row}</td></tr>`).join('\n')}
</table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr></table>
${pixel === undefined ? '' : `<img src="${pixel}" height="1" width="1" alt="" style="display:block">`}
</body>
</html>`;
}

/** A button that Outlook draws with VML, and everybody else as a link. */
export const button = (href: string, label: string): string =>
  `<!--[if mso]><v:roundrect xmlns:v="urn:schemas-microsoft-com:vml" href="${href}" arcsize="10%"><center>${label}</center></v:roundrect><![endif]-->` +
  `<!--[if !mso]><!--><a class="button primary" href="${href}" target="_blank" style="color:#ffffff">${label}</a><!--<![endif]-->`;

export const link = (href: string, label: string): string => `<a href="${href}" target="_blank">${label}</a>`;
