init { skip ;;;; }
