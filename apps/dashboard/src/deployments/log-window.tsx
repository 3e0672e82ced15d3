import { Box, VisuallyHidden } from '@mantine/core';
import { useElementSize, useMergedRef } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { type CSSProperties, memo, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useWords } from '../words/words.tsx';
import { type Look, marked, piecesOf } from './ansi.ts';
import { deploymentWords } from './deployment.words.ts';
import type { LogLine } from './use-log.ts';

const rowHeight = 20;
/** Lines that are rendered beyond each edge, so that a quick scroll shows no gaps. */
const beyond = 20;

type Props = {
  lines: LogLine[];
  wanted: string;
  /** The line to keep in view. When it changes, the log scrolls to it. */
  here: number | null;
  follows: boolean;
  setFollows: (follows: boolean) => void;
};

/**
 * Only the visible lines are in the page, because a log may have hundreds of thousands. The view follows the end of the
 * log. Scrolling up stops that, and scrolling down to the end starts it again.
 */
export function LogWindow({ lines, wanted, here, follows, setFollows }: Props) {
  const words = useWords(deploymentWords);
  const box = useRef<HTMLDivElement>(null);
  const { ref: sizeRef, height } = useElementSize<HTMLDivElement>();
  const ref = useMergedRef(box, sizeRef);
  const [top, setTop] = useState(0);
  const formerTop = useRef(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: also runs for every added line
  useLayoutEffect(() => {
    if (follows && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [follows, lines.length, height]);

  const hereIndex = here === null ? -1 : lines.findIndex(({ seq }) => seq === here);
  useEffect(() => {
    if (hereIndex >= 0 && box.current) box.current.scrollTop = hereIndex * rowHeight - box.current.clientHeight / 2;
  }, [hereIndex]);

  const onScroll = ({ currentTarget: { scrollTop, scrollHeight, clientHeight } }: React.UIEvent<HTMLDivElement>) => {
    setTop(scrollTop);
    if (scrollHeight - clientHeight - scrollTop < rowHeight) setFollows(true);
    else if (scrollTop < formerTop.current) setFollows(false);
    formerTop.current = scrollTop;
  };

  const first = Math.max(0, Math.floor(top / rowHeight) - beyond);
  const shown = lines.slice(first, Math.ceil((top + Math.max(height, 400)) / rowHeight) + beyond);
  return (
    <Box ref={ref} className="log" tabIndex={0} role="log" aria-live="off" aria-label={words.log} onScroll={onScroll}>
      <div className="log-lines" style={{ height: lines.length * rowHeight }}>
        <div style={{ transform: `translateY(${first * rowHeight}px)` }}>
          {shown.map((line) => (
            <Line key={line.seq} line={line} wanted={wanted} isHere={line.seq === here} />
          ))}
        </div>
      </div>
    </Box>
  );
}

const Line = memo(function Line({ line, wanted, isHere }: { line: LogLine; wanted: string; isHere: boolean }) {
  const words = useWords(deploymentWords);
  const { seq, level, stream, message, look, timestamp } = line;
  return (
    <div className="log-line" data-level={level} data-stream={stream} {...(isHere && { 'data-here': true })}>
      <Link
        to="."
        search={(now: object) => ({ ...now, line: seq })}
        replace
        resetScroll={false}
        title={timestamp}
        aria-label={words.toLine(seq)}
      >
        {seq}
      </Link>
      <time dateTime={timestamp}>{clockTime(timestamp)}</time>
      {level !== 'info' && <VisuallyHidden>{words[level]}: </VisuallyHidden>}
      <span>
        {marked(piecesOf(message, look).pieces, wanted).map(({ text, look: own, isFound }, index) => {
          const Tag = isFound ? 'mark' : 'span';
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no other name, and never change places
            <Tag key={index} style={styleOf(own)}>
              {text}
            </Tag>
          );
        })}
      </span>
    </div>
  );
});

/** The time in the reader's time zone: hours, minutes and seconds. */
const clockTime = (timestamp: string): string => new Date(timestamp).toTimeString().slice(0, 8);

/**
 * The style of a text. All colours are readable on the page's background. So on a coloured background, the text gets
 * the colour of the page's background.
 */
function styleOf({ colour, ground, bold, faint, italic, underlined, inverse }: Look): CSSProperties {
  const filled = ground ?? (inverse ? (colour ?? 7) : undefined);
  return {
    ...(colour !== undefined && { color: `var(--ansi-${colour})` }),
    ...(faint && colour === undefined && { color: 'var(--mantine-color-dimmed)' }),
    ...(filled !== undefined && { background: `var(--ansi-${filled})`, color: 'var(--mantine-color-body)' }),
    ...(bold && { fontWeight: 700 }),
    ...(italic && { fontStyle: 'italic' }),
    ...(underlined && { textDecoration: 'underline' }),
  };
}
