import { describeFile, FileQuota, isRiskyExtension } from '@vedette/message/files';
import { expect, it } from 'vitest';

const describe = (name: string, content: string | Uint8Array) =>
  describeFile({
    name,
    type: 'application/octet-stream',
    content: typeof content === 'string' ? Buffer.from(content, 'latin1') : content,
    quota: new FileQuota(),
  });

it('describes a file by its name and its content', async () => {
  expect(await describe('Invoice 7.PDF', '%PDF-1.7\n')).toEqual({
    name: 'Invoice 7.PDF',
    extension: 'pdf',
    md5_hash: 'b491de58ba84d5e12333a236add6ddb5',
    sha256_hash: '0716f9264c9fe19f5d7455276107f3ddcc1d3497f63d60689a73558ae8a1bf5e',
    size: 9,
    is_risky_extension: false,
    is_document: true,
    is_archive: false,
    is_archive_encrypted: false,
    kind: 'pdf',
    extracted: [],
  });
  expect(isRiskyExtension('exe')).toBe(true);
});
