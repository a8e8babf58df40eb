import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { Pdf } from '@corner/chassis';
import PDFDocument from 'pdfkit';
import { encode } from 'uqr';
import type { Paper, PaperTable } from './rules/paper.ts';

/** It has the letters of Latin, Greek and Cyrillic and the signs of currencies, and shows a box for a sign that it lacks. */
const font = join(import.meta.dirname, '../../node_modules/dejavu-fonts-ttf/ttf/DejaVuSans.ttf');

/** In points, of which an inch has 72. */
const [margin, pageWidth, codeSize, column] = [48, 595, 130, 90];

/** Prints a paper on A4. The same paper has the same bytes. */
export async function printPaper(name: string, { title, about, tables, proof, link, signed_at }: Paper): Promise<Pdf> {
  const info = { Title: `${title}, ${about[0]}`, CreationDate: new Date(signed_at) };
  const document = new PDFDocument({ size: 'A4', margin, font, info });
  const width = pageWidth - 2 * margin - codeSize - 20;
  document.fontSize(18).text(title, { width }).fontSize(9).text(about.join('\n'), { width }).moveDown();
  document.fontSize(8).text(proof.join('\n'), { width });
  if (link !== null) drawCode(document, link);
  document.y = Math.max(document.y, margin + codeSize) + 12;
  document.fontSize(9);
  for (const table of tables) drawTable(document, table);
  document.end();
  return new Pdf(name, await buffer(document));
}

function drawTable(document: PDFKit.PDFDocument, { head, rows }: PaperTable): void {
  document.table({
    data: [head, ...rows].map((row) => [...row]),
    defaultStyle: { border: 0, padding: [2, 0] },
    columnStyles: (n) => (n === 0 ? { width: '*' } : { width: column, align: { x: 'right', y: 'top' } }),
    rowStyles: (n) => (n === 0 ? { border: [0, 0, 0.5, 0] } : {}),
  });
  document.moveDown();
}

/** Draws a QR code into the corner of the first page. */
function drawCode(document: PDFKit.PDFDocument, text: string): void {
  const { data, size } = encode(text, { ecc: 'M', border: 0 });
  document
    .save()
    .translate(pageWidth - margin - codeSize, margin)
    .scale(codeSize / size);
  for (const [y, row] of data.entries()) for (const [x, isDark] of row.entries()) if (isDark) document.rect(x, y, 1, 1);
  document.fill().restore();
}
