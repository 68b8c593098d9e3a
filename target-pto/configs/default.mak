# Boards are "default y" in hw/pto/Kconfig; disable one here if unwanted.
# CONFIG_PTO_VIRT=n
