    {
        .name       = "pto-tile-dump",
        .args_type  = "tile:s,filename:F,format:s?,pe:i?",
        .params     = "tile filename [format] [pe]",
        .help       = "write PTO tile register 'tile' (T#1, S7, ...) to a "
                      "file; format: text, raw, npy or png",
    },

SRST
``pto-tile-dump`` *tile* *filename* [*format*] [*pe*]
  Write a PTO tile register to a file as text, raw, npy or png.
ERST
