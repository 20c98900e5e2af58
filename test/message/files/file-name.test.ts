import { isRiskyExtension } from '@vedette/message/files';
import { describe, expect, it } from 'vitest';
import { describeAs, flags } from './made.ts';

describe('the extension is what Windows goes by', () => {
  it.each([
    ['Invoice.PDF', 'Invoice.PDF', 'pdf'],
    ['invoice.pdf.exe', 'invoice.pdf.exe', 'exe'],
    ['invoice.exe.pdf', 'invoice.exe.pdf', 'pdf'],
    ['invoice\u202Efdp.exe', 'invoicefdp.exe', 'exe'],
    ['invoice.pdf              .scr', 'invoice.pdf              .scr', 'scr'],
    ['invoice.exe. .', 'invoice.exe. .', 'exe'],
    ['invoice.e\u200Bxe', 'invoice.exe', 'exe'],
    ['a\0b.js\r\n', 'ab.js', 'js'],
    ['folder.d/readme', 'folder.d/readme', 'txt'],
    ['a.{3050F4D8-98B5-11CF-BB82-00AA00BDCE0B}', 'a.{3050F4D8-98B5-11CF-BB82-00AA00BDCE0B}', '{3050f4d8-98b5-11cf-bb82-00aa00bdce0b}'],
    ['Minutes of 3.2. and what follows', 'Minutes of 3.2. and what follows', 'txt'],
    ['', '', 'txt'],
  ])('%j', async (name, shown, extension) => {
    expect(await describeAs(name, 'text')).toMatchObject({ name: shown, extension });
  });

  it('of a megabyte of name, 255 characters are shown, and its end counts', async () => {
    const { name, extension } = await describeAs(`${'😀'.repeat(500_000)}.exe`, 'text');
    expect([name.length, name.isWellFormed(), extension]).toEqual([254, true, 'exe']);
  });
});

it.each([
  [
    'exe com scr pif msi hta js jse vbs wsf ps1 bat cmd lnk url iso img vhd vhdx one jar chm reg docm xlsm xlsb xlam pptm xll iqy settingcontent-ms apk dmg',
    true,
  ],
  ['txt csv pdf doc docx xls xlsx ppt pptx odt zip 7z rar tar gz png jpg gif ics vcf eml mp3 mp4 html svg xml json md dat p7s asc', false],
])('%s: %s', (extensions, risky) => {
  expect(extensions.split(' ').filter((extension) => isRiskyExtension(extension) !== risky)).toEqual([]);
});

describe('what a file really is counts, whatever it is called', () => {
  const rows: [name: string, content: string, kind: string, flags: string][] = [
    ['photo.jpg', `MZ${'\x90\0\x03'.repeat(99)}`, 'exe', 'risky'],
    ['tool', '\x7FELF\x02\x01\x01', 'elf', 'risky'],
    ['report.pdf', '#!/bin/sh\nrm -r /', 'script', 'risky'],
    ['shortcut.txt', 'L\0\0\0\x01\x14\x02\0\0\0\0\0\xC0\0\0\0\0\0\0F', 'shortcut', 'risky'],
    ['link', '[InternetShortcut]\r\nURL=file://192.0.2.1/x', 'internet-shortcut', 'risky'],
    ['notes.doc', '\xE4\x52\x5C\x7B\x8C\xD8\xA7\x4D\xAE\xB1\x53\x78\xD0\x29\x96\xD3', 'onenote', 'risky document'],
    ['letter.doc', '{\\rtf1 Hello}', 'rtf', 'document'],
    ['table.xls', '<html><table><tr><td>1</table>', 'html', 'document'],
    ['MZ.txt', 'MZ is how programs begin', 'text', ''],
    ['a.png', '\x89PNG\r\n\x1A\n', 'png', ''],
    ['invite.ics', 'BEGIN:VCALENDAR\r\n', 'calendar', ''],
    ['forwarded.eml', 'Subject: Hello\r\nFrom: a@a.test\r\n\r\n', 'eml', ''],
    ['broken.zip', '\xFF\xFE\x01', 'text', ''],
    ['broken.rar', '\x01\x02\x03', 'unknown', 'archive'],
    ['nothing.pdf', '', 'empty', 'document'],
  ];
  it.each(rows)('%s', async (name, content, kind, said) => {
    const described = await describeAs(name, content);
    expect([described.kind, flags(described)]).toEqual([kind, said]);
  });
});

describe('a page or a drawing is risky where it does more than show itself', () => {
  it.each([
    ['<html><body><h1>Your order</h1><a href="https://a.test">Track it</a><img src="https://a.test/x.png"></body></html>', ''],
    ['<html><p>A script, a form and a frame; ask for the position = 3</p></html>', ''],
    ['<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h9v9z"/></svg>', ''],
    ['<?xml version="1.0"?><!-- Logo --><svg xmlns="http://www.w3.org/2000/svg"><circle r="4"/></svg>', ''],
    ['<html><script>const file = new Blob([atob(data)])</script></html>', 'risky'],
    ['<!DOCTYPE html><form action="https://a.test"><input type="password"></form>', 'risky'],
    ['<html><meta http-equiv="refresh" content="0;url=https://a.test"></html>', 'risky'],
    ['<html><body onload="go()"></body></html>', 'risky'],
    ['<html><a href="javascript:go()">Open</a></html>', 'risky'],
    ['<svg xmlns="http://www.w3.org/2000/svg"><script>go()</script></svg>', 'risky'],
    ['<svg xmlns="http://www.w3.org/2000/svg" onload="go()"/>', 'risky'],
    ['<svg xmlns="http://www.w3.org/2000/svg"><foreignObject><p/></foreignObject></svg>', 'risky'],
  ])('%s', async (content, said) => {
    expect(flags(await describeAs('attached', content))).toBe(said);
  });
});
