import type { MarkedToken, Token, Tokens } from 'marked';
import { createElement, Fragment, type MouseEvent, type ReactNode } from 'react';
import { destinationOf, sectionId } from './markdown-links.ts';
import { textOfHtml, withCharacters } from './markdown-text.ts';
import { withMentions } from './mentioned.tsx';

export type Setting = {
  /** The document's own path. */
  path: string;
  /** Returns the URL at which the dashboard shows a file of the project, if there is one. */
  fileLink: (path: string) => string | undefined;
  /** Returns the URL of a picture in the project's files. */
  pictureLink: (path: string) => string | undefined;
  showsRemote: boolean;
  /** Whether `@username` addresses somebody, as in a comment. */
  showsMentions?: boolean;
  /** Navigates within the dashboard without reloading it. */
  visit: (address: string) => void;
};

/** Deepest nesting that is shown. A document must not exhaust the page's stack. */
const deepest = 40;

/**
 * Renders a document as elements of the page. No part of it becomes HTML: every text is a text node, and links and
 * pictures lead only to where `destinationOf` allows.
 */
export type MarkdownProps = { text: string } & Omit<Setting, 'showsRemote' | 'visit'>;

export function elementsOf(tokens: Token[] | undefined, setting: Setting, depth = 0): ReactNode {
  if (depth > deepest) return null;
  return tokens?.map((token, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a document is shown as a whole, and its parts keep no state
    <Fragment key={index}>{elementOf(token as MarkedToken, setting, depth)}</Fragment>
  ));
}

function elementOf(token: MarkedToken, setting: Setting, depth: number): ReactNode {
  const inside = (tokens: Token[] | undefined) => elementsOf(tokens, setting, depth + 1);
  switch (token.type) {
    case 'heading': {
      const level = `h${Math.min(token.depth + 1, 6)}`;
      return createElement(level, { id: sectionId(token.text), 'data-depth': token.depth }, inside(token.tokens));
    }
    case 'paragraph':
      return <p>{inside(token.tokens)}</p>;
    case 'blockquote':
      return <blockquote>{inside(token.tokens)}</blockquote>;
    case 'code':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways, and the keyboard has to reach it for that
        <pre tabIndex={0}>
          <code>{token.text}</code>
        </pre>
      );
    case 'hr':
      return <hr />;
    case 'list':
      return listOf(token, inside);
    case 'table':
      return tableOf(token, inside);
    case 'html':
      return textOfHtml(token.text);
    default:
      return inlineOf(token, setting, inside);
  }
}

type Inside = (tokens: Token[] | undefined) => ReactNode;

function inlineOf(token: MarkedToken, setting: Setting, inside: Inside): ReactNode {
  switch (token.type) {
    case 'text':
      if (token.tokens) return inside(token.tokens);
      return setting.showsMentions ? withMentions(withCharacters(token.text)) : withCharacters(token.text);
    case 'escape':
      return withCharacters(token.text);
    case 'strong':
      return <strong>{inside(token.tokens)}</strong>;
    case 'em':
      return <em>{inside(token.tokens)}</em>;
    case 'del':
      return <del>{inside(token.tokens)}</del>;
    case 'codespan':
      return <code>{token.text}</code>;
    case 'br':
      return <br />;
    case 'checkbox':
      return token.checked ? '☑ ' : '☐ ';
    case 'link':
      return linkOf(token, setting, inside(token.tokens));
    case 'image':
      return pictureOf(token, setting);
    default:
      return null;
  }
}

function linkOf({ href, title }: Tokens.Link, { path, fileLink, visit }: Setting, children: ReactNode): ReactNode {
  const to = destinationOf(href, path);
  const named = title ? { title } : {};
  if (to?.kind === 'outside') {
    return (
      <a href={to.href} target="_blank" rel="noreferrer nofollow" {...named}>
        {children}
      </a>
    );
  }
  if (to?.kind === 'section') {
    return (
      <a href={`#${to.id}`} {...named}>
        {children}
      </a>
    );
  }
  const address = to && fileLink(to.path);
  if (!address) return children;
  const follow = (event: MouseEvent) => {
    // Otherwise, the user wants to open the link in another tab or window.
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    visit(address);
  };
  return (
    <a href={address} onClick={follow} {...named}>
      {children}
    </a>
  );
}

function pictureOf({ href, text }: Tokens.Image, { path, pictureLink, showsRemote }: Setting): ReactNode {
  const to = destinationOf(href, path);
  const isRemote = to?.kind === 'outside' && /^https:/i.test(to.href);
  const source = to?.kind === 'file' ? pictureLink(to.path) : isRemote && showsRemote ? to.href : undefined;
  return source ? <img src={source} alt={text} referrerPolicy="no-referrer" loading="lazy" /> : <span>{text}</span>;
}

function listOf({ ordered, start, items }: Tokens.List, inside: Inside): ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: as above
  const rows = items.map(({ tokens }, index) => <li key={index}>{inside(tokens)}</li>);
  return ordered ? <ol start={start || 1}>{rows}</ol> : <ul>{rows}</ul>;
}

function tableOf({ header, rows }: Tokens.Table, inside: Inside): ReactNode {
  const cells = (row: Tokens.TableCell[], Cell: 'th' | 'td') =>
    row.map(({ tokens, align }, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: as above
      <Cell key={index} {...(align && { align })}>
        {inside(tokens)}
      </Cell>
    ));
  return (
    <table>
      <thead>
        <tr>{cells(header, 'th')}</tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: as above
          <tr key={index}>{cells(row, 'td')}</tr>
        ))}
      </tbody>
    </table>
  );
}
