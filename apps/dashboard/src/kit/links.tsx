import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentPropsWithRef } from 'react';

type Linking<Props> = Props & Omit<ComponentPropsWithRef<'a'>, keyof Props>;

/** Mantine's looks with the router's types: an address that does not exist does not compile. */
export const ButtonLink = createLink((props: Linking<ButtonProps>) => <Button component="a" {...props} />);
export const AnchorLink = createLink((props: Linking<AnchorProps>) => <Anchor {...props} />);
