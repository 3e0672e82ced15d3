import './markdown.css';
import { Button, Group, Text, Typography } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { lexer, type Token, walkTokens } from 'marked';
import { useMemo, useState } from 'react';
import { useWords } from '../words/words.tsx';
import { kitWords } from './kit.words.ts';
import { elementsOf, type MarkdownProps } from './markdown-elements.tsx';
import { destinationOf } from './markdown-links.ts';

/**
 * Longest text that is rendered, in characters. A longer text, or one that breaks the parser, is shown as plain text.
 */
const longest = 300_000;

export default function MarkdownDocument({ text, ...setting }: MarkdownProps) {
  const { path } = setting;
  const words = useWords(kitWords);
  const { history } = useRouter();
  const [showsRemote, setShowsRemote] = useState(false);
  const tokens = useMemo(() => parsed(text), [text]);
  const hasRemote = useMemo(() => tokens !== null && hasRemotePictures(tokens, path), [tokens, path]);
  if (!tokens) return <pre className="markdown-source">{text}</pre>;
  return (
    <>
      {hasRemote && !showsRemote && (
        <Group gap="xs" mb="sm">
          <Text size="xs" c="dimmed">
            {words.remotePictures}
          </Text>
          <Button size="compact-xs" variant="default" onClick={() => setShowsRemote(true)}>
            {words.showPictures}
          </Button>
        </Group>
      )}
      <Typography className="markdown">
        {elementsOf(tokens, { ...setting, showsRemote, visit: (address) => history.push(address) })}
      </Typography>
    </>
  );
}

function parsed(text: string): Token[] | null {
  if (text.length > longest) return null;
  try {
    return lexer(text);
  } catch {
    return null;
  }
}

/** Remote pictures need the user's consent, because their server would learn who reads the document, and when. */
function hasRemotePictures(tokens: Token[], path: string): boolean {
  let isAny = false;
  walkTokens(tokens, (token) => {
    isAny ||= token.type === 'image' && destinationOf(token.href, path)?.kind === 'outside';
  });
  return isAny;
}
