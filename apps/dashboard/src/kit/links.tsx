import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core';
import { IconArrowLeft, IconExternalLink } from '@tabler/icons-react';
import { createLink } from '@tanstack/react-router';
import type { ComponentPropsWithRef, ReactNode } from 'react';

type Linking<Props> = Props & Omit<ComponentPropsWithRef<'a'>, keyof Props>;

/** Links with Mantine's styles and the router's types: a URL that does not exist is a compile error. */
export const ButtonLink = createLink((props: Linking<ButtonProps>) => <Button component="a" {...props} />);
export const AnchorLink = createLink((props: Linking<AnchorProps>) => <Anchor {...props} />);

export const BackLink = createLink(({ children, ...props }: Linking<AnchorProps>) => (
  <Anchor size="sm" display="inline-flex" style={{ alignItems: 'center', gap: 4 }} {...props}>
    <IconArrowLeft size={14} aria-hidden />
    {children}
  </Anchor>
));

type OutsideProps = Pick<ButtonProps, 'variant'> & { href: string; children: ReactNode };

/** A link to a deployed app, which is on another origin. */
export function OutsideLink(props: OutsideProps) {
  return (
    <Button
      component="a"
      target="_blank"
      rel="noreferrer"
      size="xs"
      leftSection={<IconExternalLink size={14} />}
      {...props}
    />
  );
}
