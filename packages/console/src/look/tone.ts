/** Good, bad and between are told by shape and word; the colour only helps. */
export type Tone = 'good' | 'warn' | 'bad' | 'none';
