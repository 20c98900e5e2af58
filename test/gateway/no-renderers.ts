/** Nobody renders anything. */
export const NO_RENDERERS = {
  asker: { render: () => Promise.reject(new Error('not asked for')) },
  presence: { slots: () => 0, everSeen: () => false, renderers: () => [] },
};
