import { useInsertionEffect } from 'react';

/**
 * Applies a style, the text of a file, while a component is shown. It is loaded with its page, since the first page of the console has a
 * budget.
 */
export function useStyle(css: string): void {
  useInsertionEffect(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    document.adoptedStyleSheets.push(sheet);
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
    };
  }, [css]);
}
